export { oldestCurrent } from './oldest-current.ts'
export { findThumbnails } from './thumbnails.ts'
export { canonicalVideoUrl, videoUrlOf } from './video-url.ts'
