import { ServiceError } from '@subtext/contracts'
import { findInfographic, findSummarizedResults, readCues, type ShownJob, type SummarizedResult } from '@subtext/db'
import type { Actor, Context } from '../context.ts'
import type { InfographicLink } from '../infographics/link.ts'
import { describeResult } from './describe.ts'
import { findTogether } from './find-together.ts'
import { getJob } from './get.ts'

export interface FinishedJob {
  job: ShownJob
  /** The input of the renderers. */
  description: ReturnType<typeof describeResult>
  /** Identifies the content of the transcript, which jobs of the same video share. */
  transcript: { id: string; cueCount: number }
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

/** Returns the result of a completed job. Throws the errors of `getCompletedJob`. */
export const getResult = async (ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<FinishedJob> =>
  readResult(ctx, await getCompletedJob(ctx, actor, jobId))

/** Lower than for jobs, because results are much larger. */
const MAX_RESULTS_PER_STATEMENT = 20

const findResult = findTogether<string, SummarizedResult | null>({
  findMany: findSummarizedResults,
  maxRows: MAX_RESULTS_PER_STATEMENT,
})

/** A completed job has a result as long as it exists. Throws `NOT_FOUND` if the job was deleted after it was read. */
export async function failWithoutResult(ctx: Pick<Context, 'db'>, { id, userId }: ShownJob): Promise<never> {
  await getJob(ctx, { userId }, id)
  throw new Error(`Completed job ${id} has no result.`)
}

/** Reads the result of a job that `getCompletedJob` has returned. Error: `NOT_FOUND` if the job was deleted since. */
export async function readResult(ctx: Pick<Context, 'db'>, job: ShownJob): Promise<FinishedJob> {
  const [result, infographic] = await Promise.all([
    findResult(ctx.db, job.id),
    job.options.generate_infographic ? findInfographic(ctx.db, job.id) : null,
  ])
  if (!result) return failWithoutResult(ctx, job)
  const transcript = { id: result.transcriptId, cueCount: result.cueCount }
  const cues = () => readCues(ctx.db, transcript.id, transcript.cueCount)
  return {
    job,
    description: describeResult(job, result, result, result.summaries, cues),
    transcript,
    infographic: infographic?.drawnAt ? infographic : null,
  }
}
