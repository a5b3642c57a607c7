export type { FindLargeThumbnails } from './find-large-thumbnails.ts'
export { createThumbnailFinder } from './samples/create-thumbnail-finder.ts'
