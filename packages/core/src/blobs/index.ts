export { type BlobContext, findBlob, type JobBlob, keepBlob } from './keep.ts'
export { purgeBlobs } from './purge.ts'
