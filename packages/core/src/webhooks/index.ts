export {
  type CheckWebhookUrl,
  createWebhookUrlCheck,
  findWebhookUrlProblem,
  type ResolveName,
} from './address-guard.ts'
export type { ClaimedDelivery, ReceiverPace } from './claim-sql.ts'
export {
  type ClaimOptions,
  claimDueDeliveries,
  createAttemptRecorder,
  type RecordAttempt,
} from './deliver.ts'
export { newEnvelope, toEvent, type WebhookEvent } from './event.ts'
export type { AttemptOutcome, DisablePolicy } from './events-sql.ts'
export { eventValues, insertEvents, type NewWebhookEvent, queueRedelivery, recordWebhookEvent } from './events-sql.ts'
export { AddressRefusedError, guardedLookup } from './guarded-lookup.ts'
export type { StoredAttempt, StoredWebhookDelivery, WebhookAttempt } from './log-sql.ts'
export {
  type DeliveryList,
  type DeliveryListQuery,
  getDelivery,
  listAttempts,
  listDeliveries,
  readSentBody,
  redeliver,
} from './manage.ts'
export { cacheNameLookups, createNameResolver } from './resolve-name.ts'
export { nextDelay } from './schedule.ts'
export { createSecretBox, type SecretBox } from './secret-box.ts'
export {
  describeWebhookSecrets,
  type FindSigningSecrets,
  listSigningSecrets,
  type RotatedSecret,
  readSigningSecrets,
  rotateOwnWebhookSecret,
  rotateWebhookSecret,
  type SecretDescription,
  sealStoredSecrets,
  UnreadableSecretError,
} from './secrets.ts'
export type { Capacity, ClaimCapacity } from './select-deliveries.ts'
export { sendTestEvent } from './test-event.ts'
