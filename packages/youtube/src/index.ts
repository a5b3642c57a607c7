export { describeCanary, renderCanaryMetrics } from './canary/describe-canary.ts'
export { type CanaryReport, runCanary } from './canary/run-canary.ts'
export { clientList, DEFAULT_CLIENTS, type PlatformClient } from './clients.ts'
export { DOUBT_MS } from './doubts.ts'
export type { FetchThumbnail } from './fetch-thumbnail.ts'
export { createPlatformMetrics, type PlatformLog, type PlatformMonitor } from './monitor.ts'
export { EgressesRestingError, LastingBlockError, UnusableTrackError } from './platform-errors.ts'
export type { PlatformPages } from './platform-pages.ts'
export { createThumbnailSource } from './samples/create-thumbnail-source.ts'
export { withSamplePages } from './samples/with-sample-pages.ts'
export { withSampleVideos } from './samples/with-sample-videos.ts'
export { observeRequests } from './session/observe-requests.ts'
export type { PlatformAnswer } from './session/open-session.ts'
export { createHttpTokenProvider, type TokenProvider } from './token-provider.ts'
export type {
  FetchOptions,
  ReadCaptions,
  SourcedTranscript,
  SourcedVideo,
  VideoSource,
} from './video-source.ts'
export { createYoutubeSource, type YoutubeSourceOptions } from './youtube-source.ts'
