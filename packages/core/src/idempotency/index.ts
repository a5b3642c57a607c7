export {
  beginIdempotentRequest,
  type IdempotentStart,
  keepReply,
  type ReservedResource,
  releaseClaim,
} from './claim.ts'
export { deleteExpiredIdempotencyKeys } from './claim-sql.ts'
export { hashRequest } from './request-hash.ts'
