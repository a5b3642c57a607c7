export * from './messages-api/index.ts'
export { SAMPLE_TALKS, SAMPLE_VIDEOS, UNKNOWN_VIDEO_ID } from './platform/catalogue.ts'
export type { PlatformDelay, PlatformFault, PlatformOutcome } from './platform/fault-plan.ts'
export { longVideo } from './platform/long-video.ts'
export type { PlatformRequest, RequestFilter, RequestKind } from './platform/request-log.ts'
export type {
  PlayerAnswer,
  PlayerJsonAnswer,
  PlayerRequest,
  SampleComment,
  SampleCue,
  SampleTrack,
  SampleVideo,
} from './platform/sample-video.ts'
export { startVideoPlatform, type VideoPlatform } from './platform/start-video-platform.ts'
export {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookAnswer,
  type WebhookReceiver,
  type WebhookScript,
} from './webhook-receiver/start-webhook-receiver.ts'
