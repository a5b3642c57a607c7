import { ServiceError } from '@subtext/contracts'
import { findInfographic, findSummarizedResult, readCues, type ShownJob } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import type { InfographicLink } from '../infographics/link.ts'
import { describeResult } from './describe.ts'
import { getJob } from './get.ts'

export interface FinishedJob {
  job: ShownJob
  /** The input of the renderers. */
  description: ReturnType<typeof describeResult>
  /** Null if the job has none. */
  infographic: (InfographicLink & { altText: string }) | null
}

const RETRY_AFTER_SECONDS = 2

/** Returns the error of a failed job, which is sent in place of its result. */
export function failureOf(job: ShownJob): ServiceError {
  const { code, message, details, retryable } = job.error ?? { code: 'INTERNAL_ERROR' as const }
  return new ServiceError(code, { message, details, retryable })
}

/** Returns a completed job. Errors: `NOT_FOUND`, `JOB_NOT_COMPLETED`, and the job's own error if it failed. */
export async function getCompletedJob(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<ShownJob> {
  const job = await getJob(ctx, actor, jobId)
  if (job.status === 'failed') throw failureOf(job)
  if (job.status !== 'completed') {
    throw new ServiceError('JOB_NOT_COMPLETED', {
      details: { status: job.status, progress_percentage: job.progress },
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
  return job
}

/** A completed job has a result as long as it exists. Throws `NOT_FOUND` if the job was deleted after it was read. */
export async function failWithoutResult(ctx: Pick<Context, 'db'>, { id, userId }: ShownJob): Promise<never> {
  await getJob(ctx, { userId }, id)
  throw new Error(`Completed job ${id} has no result.`)
}

/** Returns the result of a completed job. Throws the errors of `getCompletedJob`. */
export async function getResult(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<FinishedJob> {
  const job = await getCompletedJob(ctx, actor, jobId)
  const [result, infographic] = await Promise.all([
    findSummarizedResult(ctx.db, job.id),
    job.options.generate_infographic ? findInfographic(ctx.db, job.id) : null,
  ])
  if (!result) return failWithoutResult(ctx, job)
  const cues = () => readCues(ctx.db, result.transcriptId, result.cueCount)
  return {
    job,
    description: describeResult(job, result, result, result.summaries, cues),
    infographic: infographic?.drawnAt ? infographic : null,
  }
}
