export { findThumbnails } from './thumbnails.ts'
export { canonicalVideoUrl } from './video-url.ts'
