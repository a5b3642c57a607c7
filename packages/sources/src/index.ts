export { listSource, type SourceAddress } from './list-source.ts'
export {
  type ListedVideo,
  type Listing,
  MAX_SOURCE_VIDEOS,
  type SourceFault,
  SourceGoneError,
  SourceMovedError,
  type UnavailableReason,
  type VideoType,
} from './listing.ts'
export { type ChannelFeed, type FeedEntry, readFeed } from './read-feed.ts'
export { resolveChannel } from './resolve-channel.ts'
