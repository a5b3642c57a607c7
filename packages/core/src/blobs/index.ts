export type { BlobContext } from './keep.ts'
export { purgeBlobs } from './purge.ts'
