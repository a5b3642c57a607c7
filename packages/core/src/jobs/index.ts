export type { FollowedJob, Job } from '@subtext/db'
export { type AcceptJob, createAcceptor } from './accept.ts'
export { cancelJob } from './cancel.ts'
export { type ClaimJob, createClaimer, wakeHeldJobs } from './claim.ts'
export { describeAttribution, describeResult } from './describe.ts'
export { completeJob, type Failure, failJob } from './end.ts'
export { createEstimator, type EstimateRemaining } from './estimate.ts'
export { buildJobEvent, type JobEvent } from './event.ts'
export { type FinishedSummary, followJob, readSummaries } from './follow.ts'
export { awaitJob, getJob, hasEnded } from './get.ts'
export { type JobList, type JobListQuery, listJobs } from './list.ts'
export { type FinishedJob, failureOf, getResult } from './result.ts'
export { type SubmitPolicy, type SubmittedJob, submitVideo } from './submit.ts'
export { sweepJobs } from './sweep.ts'
export {
  type ClaimedJob,
  claimJobById,
  handBackJob,
  keepLease,
  LeaseLostError,
  postponeJob,
  reportStep,
  retryDelay,
  toServiceError,
} from './work.ts'
