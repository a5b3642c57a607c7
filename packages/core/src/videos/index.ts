export { oldestCurrent } from './oldest-current.ts'
export { findThumbnails } from './thumbnails.ts'
export { findThumbnailSizes, saveThumbnailSizes } from './thumbnails-sql.ts'
export { canonicalVideoUrl } from './video-url.ts'
