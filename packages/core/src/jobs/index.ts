export { type AcceptContext, type AcceptJob, createAcceptor } from './accept.ts'
export { acceptBatch, type NewBatch, type NewBatchJob } from './accept-sql.ts'
export { cancelJob } from './cancel.ts'
export { type ClaimedJob, claimJobById } from './claim.ts'
export type {
  ClaimedRow,
  ClaimLook,
  ClaimOptions,
  ClaimOutcome,
  HeldJob,
} from './claim-sql.ts'
export type { ResultBasis } from './complete-sql.ts'
export { deriveJob } from './derive.ts'
export { acceptDerivedJob } from './derive-sql.ts'
export { describeAttribution, describeResult } from './describe.ts'
export { completeJob, type Failure, failJob, StaleResultError } from './end.ts'
export { endJob } from './end-sql.ts'
export {
  createDurationEstimator,
  createEstimator,
  createPaceReader,
  type EstimateDuration,
  type EstimateRemaining,
} from './estimate.ts'
export { type ClaimJob, createClaimer } from './fair-claim.ts'
export type { FollowedJob } from './find-sql.ts'
export { findJob } from './find-sql.ts'
export { type FinishedSummary, followJob, readSummaries } from './follow.ts'
export { awaitJob, failureOf, getJob, getStatus, hasEnded, refuseUnfinished } from './get.ts'
export { wakeHeldJobs } from './held-jobs.ts'
export {
  type EpisodeRecording,
  type ImportedRecording,
  isImported,
  type Job,
  type NewJob,
  type ShownJob,
  type StoredError,
} from './job-row.ts'
export { keepLease, LeaseLostError } from './keep-lease.ts'
export { extendLease } from './keep-lease-sql.ts'
export { type JobList, type JobListQuery, listJobs } from './list.ts'
export { createJobLookups, type LookupContext } from './lookups.ts'
export { handBackJob, letJobWait, postponeJob } from './release.ts'
export { releaseJob } from './release-sql.ts'
export { createStepReporter, reportStep } from './report-step.ts'
export { createRequestCount, type RequestCount } from './request-count.ts'
export { type FinishedJob, getResult } from './result.ts'
export { type FoundResult, findResult, type StoredResult } from './result-sql.ts'
export { retryDelay, waitDelay } from './retry-policy.ts'
export { type AcceptedJob, describeRequested, type SubmitPolicy, submitVideo } from './submit.ts'
export { createSweeper, type SweepJobs, type SweepProducer } from './sweep.ts'
export { toServiceError } from './to-service-error.ts'
