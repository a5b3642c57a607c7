export { SAMPLE_TALKS } from '@subtext/sample-platform'
export {
  type PlayerJsonReply,
  type PlayerReply,
  type PlayerRequest,
  type SampleChannel,
  type SampleComment,
  type SampleCue,
  type SampleListEntry,
  type SamplePlaylist,
  type SampleTrack,
  type SampleVideo,
  UNKNOWN_VIDEO_ID,
} from '@subtext/sample-platform/protocol'
export * from './messages-api/index.ts'
export { SAMPLE_VIDEOS } from './platform/catalogue.ts'
export type { PlatformDelay, PlatformFault, PlatformOutcome } from './platform/fault-plan.ts'
export { longVideo } from './platform/long-video.ts'
export type { PlatformRequest, RequestFilter, RequestKind } from './platform/request-log.ts'
export { startVideoPlatform, type VideoPlatform } from './platform/start-video-platform.ts'
export {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from './trace-collector/start-trace-collector.ts'
export {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  type WebhookReply,
  type WebhookScript,
} from './webhook-receiver/start-webhook-receiver.ts'
