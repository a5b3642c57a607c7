export { type BlobContext, findBlob, type JobBlob, keepBlob, storeBlob, THUMBNAIL_BLOB } from './keep.ts'
export { purgeBlobs } from './purge.ts'
