export { createDigest, getDigest, type RequestedDigest } from './digests.ts'
export {
  type ClaimedDigest,
  claimDigest,
  type DigestContent,
  extendDigestLease,
  findDigestOfBatch,
  postponeDigest,
  type StoredDigest,
  type StoredDigestPoint,
  type StoredDigestVideo,
} from './digests-sql.ts'
export { removeFromDigests } from './without-jobs.ts'
export {
  abandonDigest,
  completeDigest,
  type DigestMaterial,
  readDigestMaterial,
  readSummarizedJobs,
  type SummarizedJob,
  savePaidGroups,
} from './work.ts'
