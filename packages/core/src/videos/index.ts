export { oldestCurrent } from './oldest-current.ts'
export { findThumbnails } from './thumbnails.ts'
export { canonicalVideoUrl } from './video-url.ts'
