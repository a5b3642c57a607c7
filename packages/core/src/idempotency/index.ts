export {
  beginIdempotentRequest,
  type IdempotentStart,
  keepAnswer,
  type ReservedResource,
  releaseClaim,
} from './claim.ts'
export { hashRequest } from './request-hash.ts'
