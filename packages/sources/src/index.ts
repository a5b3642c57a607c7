export { listSource, type SourceAddress } from './list-source.ts'
export {
  type ListedVideo,
  type Listing,
  type SourceFault,
  SourceGoneError,
  SourceMovedError,
  type VideoType,
} from './listing.ts'
export { type ListedEpisode, listPodcast, type PodcastListing } from './podcast/list-podcast.ts'
export { type ChannelFeed, type FeedEntry, readFeed } from './read-feed.ts'
export { resolveChannel } from './resolve-channel.ts'
