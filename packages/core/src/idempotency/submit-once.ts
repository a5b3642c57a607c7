import { ServiceError, type SubmitVideo } from '@subtext/contracts'
import { findJob, type Job } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import type { AcceptJob } from '../jobs/accept.ts'
import { type SubmitPolicy, type SubmittedJob, submitVideo } from '../jobs/submit.ts'
import { canonicalVideoUrl } from '../video-url.ts'
import type { ChosenResource } from './claim.ts'

interface SubmitContext extends Pick<Context, 'db'> {
  accept: AcceptJob
  submitPolicy: SubmitPolicy
}

/** As `submitVideo`; with `chosen`, any number of calls make one job, and charge for one. */
export async function submitVideoOnce(
  ctx: SubmitContext,
  actor: Actor,
  request: SubmitVideo,
  chosen?: ChosenResource,
): Promise<SubmittedJob> {
  const made = chosen?.mayExist ? await findJob(ctx.db, actor.userId, chosen.id) : null
  if (made) return describeSubmitted(made)
  try {
    return await submitVideo(ctx.accept, ctx.submitPolicy, actor, request, chosen?.id)
  } catch (error) {
    // The place that was missing may be the one this very job took when somebody else accepted it a moment ago.
    const missedPlace = chosen && error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED'
    const accepted = missedPlace ? await findJob(ctx.db, actor.userId, chosen.id) : null
    if (accepted) return describeSubmitted(accepted)
    throw error
  }
}

const describeSubmitted = (job: Job): SubmittedJob => ({
  jobId: job.id,
  videoId: job.videoId,
  videoUrl: canonicalVideoUrl(job.videoId),
  priority: job.priority,
  createdAt: job.createdAt,
})
