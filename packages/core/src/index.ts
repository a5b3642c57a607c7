export {
  type AttemptOutcome,
  type Batch,
  type BatchJob,
  type ClaimedDelivery,
  type DisablePolicy,
  type FollowedJob,
  isDatabaseUnavailable,
  type Job,
  type UsageSums,
  type WebhookAttempt,
  type WebhookDelivery,
} from '@subtext/db'
export type { LaneRoom, RequestLimits, RequestWindow } from '@subtext/queue'
export { v7 as newId } from 'uuid'
export * from './accounts/set-plan.ts'
export * from './api-keys/create.ts'
export * from './api-keys/manage.ts'
export * from './api-keys/record-use.ts'
export * from './api-keys/verify.ts'
export * from './batches/describe.ts'
export { findVideoUrlIssues } from './batches/entries.ts'
export * from './batches/get.ts'
export * from './batches/submit.ts'
export * from './client-network.ts'
export * from './context.ts'
export * from './idempotency/claim.ts'
export * from './idempotency/purge.ts'
export * from './idempotency/request-hash.ts'
export * from './idempotency/submit-once.ts'
export * from './jobs/accept.ts'
export * from './jobs/cancel.ts'
export * from './jobs/claim.ts'
export * from './jobs/describe.ts'
export * from './jobs/end.ts'
export * from './jobs/estimate.ts'
export * from './jobs/event.ts'
export * from './jobs/follow.ts'
export * from './jobs/get.ts'
export * from './jobs/list.ts'
export * from './jobs/result.ts'
export * from './jobs/submit.ts'
export * from './jobs/sweep.ts'
export * from './jobs/work.ts'
export * from './outlast-outage.ts'
export * from './retention.ts'
export * from './single-flight.ts'
export * from './thumbnails.ts'
export * from './usage/count-requests.ts'
export * from './usage/current.ts'
export * from './usage/history.ts'
export * from './video-url.ts'
export * from './waker.ts'
export * from './webhooks/address-guard.ts'
export * from './webhooks/deliver.ts'
export * from './webhooks/manage.ts'
export * from './webhooks/resolve-name.ts'
export * from './webhooks/schedule.ts'
export * from './webhooks/secret-box.ts'
export * from './webhooks/secrets.ts'
export type { ClaimRoom, Room } from './webhooks/select-deliveries.ts'
export * from './webhooks/test-event.ts'
