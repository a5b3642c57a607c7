import type { Actor, Context } from '../context.ts'
import { findInfographic } from '../infographics/index.ts'
import type { InfographicLink } from '../infographics/link.ts'
import { listExtractions } from '../templates/index.ts'
import { readCues } from '../transcripts/index.ts'
import { describeResult } from './describe.ts'
import { getCompletedJob, getJob } from './get.ts'
import type { ShownJob } from './job-row.ts'
import { findSummarizedResult } from './result-sql.ts'

export interface FinishedJob {
  job: ShownJob
  /** The input of the renderers. */
  description: ReturnType<typeof describeResult>
  /** Null if the job has none. */
  infographic: (InfographicLink & { altText: string }) | null
}

/** A completed job has a result as long as it exists. Throws `NOT_FOUND` if the job was deleted after it was read. */
export async function failWithoutResult(ctx: Pick<Context, 'db'>, { id, userId }: ShownJob): Promise<never> {
  await getJob(ctx, { userId }, id)
  throw new Error(`Completed job ${id} has no result.`)
}

/** Returns the result of a completed job. Throws the errors of `getCompletedJob`. */
export async function getResult(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<FinishedJob> {
  const job = await getCompletedJob(ctx, actor, jobId)
  const [result, infographic, extractions] = await Promise.all([
    findSummarizedResult(ctx.db, job.id),
    job.options.generate_infographic ? findInfographic(ctx.db, job.id) : null,
    listExtractions(ctx.db, job.id),
  ])
  if (!result) return failWithoutResult(ctx, job)
  const cues = () => readCues(ctx.db, result.transcriptId, result.cueCount)
  return {
    job,
    description: describeResult(job, result, result, { summaries: result.summaries, extractions }, cues),
    infographic: infographic?.drawnAt ? infographic : null,
  }
}
