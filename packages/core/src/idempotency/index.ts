export {
  beginIdempotentRequest,
  type IdempotentStart,
  keepAnswer,
  type ReservedResource,
  releaseClaim,
} from './claim.ts'
export { purgeIdempotencyKeys } from './purge.ts'
export { hashRequest } from './request-hash.ts'
