export { createDownloader, type Download, DownloadError, type Downloaded } from './download.ts'
export type { EpisodeTranscript } from './episode.ts'
export {
  type ClaimedSource,
  type CompletedListing,
  claimSource,
  completeListing,
  extendSourceLease,
  failSource,
  leadToChannel,
  postponeSource,
  type StoredListedVideo,
} from './listing-sql.ts'
export { deleteGoneVideos, deleteOldChecks, deleteOldListings, deleteUnusedSources } from './retention-sql.ts'
export { type SelectedVideos, selectVideos } from './select.ts'
export { type SourceRef, sourceUrlOf } from './source-url.ts'
export {
  askForSource,
  awaitSource,
  buildSourceError,
  deleteSource,
  type FeedPolicy,
  FRESH_MS,
  getSource,
  listSources,
  sourceErrorOf,
  statusOf,
} from './sources.ts'
export type { AccountSource, SourceError, SourceKind } from './sources-sql.ts'
export { findFollowedSubject, findSubject, type VideoSubject } from './submittable.ts'
export { listVideos } from './videos.ts'
export type { StoredSourceVideo } from './videos-sql.ts'
