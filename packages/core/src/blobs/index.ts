export { type BlobContext, findBlob, type JobBlob, keepBlob, THUMBNAIL_BLOB } from './keep.ts'
export { purgeBlobs } from './purge.ts'
