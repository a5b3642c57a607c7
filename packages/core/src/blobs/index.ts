export { describeFile, FILE_COLUMNS, markStored, type RegisteredBlob } from './blobs-sql.ts'
export { type BlobContext, findBlob, type JobBlob, keepBlob, storeBlob, THUMBNAIL_BLOB } from './keep.ts'
export { purgeBlobs } from './purge.ts'
