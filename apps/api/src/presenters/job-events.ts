import { SummaryMode } from '@subtext/contracts'
import { type FinishedSummary, type FollowedJob, hasEnded, type Job, readSummaries } from '@subtext/core/jobs'
import { renderSummaryMarkdown } from '@subtext/render'
import type { ApiContext } from '../context.ts'
import type { ServerEvent } from '../http/event-stream.ts'
import { presentJob, resultPath } from './job.ts'

/** What a reader of a job's events has: the modes, and what the last other event said. */
interface Seen {
  modes: SummaryMode[]
  /** Status, step and percentage, or that it was the end; empty before the first. */
  position: string
}

const NOTHING: Seen = { modes: [], position: '' }
const END = 'end'

const positionOf = (job: Job): string => `${job.status}.${job.step}.${job.progress}`

/** `<job id>/<modes>/<position>`: whichever process the reader comes back to, the id says all there is to know. */
const formatEventId = (jobId: string, { modes, position }: Seen): string => `${jobId}/${modes.join('+')}/${position}`

/** An id that was not given out for this job is as good as none: the reader then gets everything. */
function parseEventId(jobId: string, eventId: string | undefined): Seen {
  const [ofJob, listed = '', position, ...rest] = (eventId ?? '').split('/')
  if (ofJob !== jobId || position === undefined || rest.length > 0) return NOTHING
  const modes = SummaryMode.array().safeParse(listed === '' ? [] : listed.split('+'))
  return modes.success ? { modes: modes.data, position } : NOTHING
}

/**
 * Makes the events that lead a reader from one look at a job to the next, beginning with what its last event id says it
 * has; null when it has the end.
 */
export function createEventPresenter(ctx: ApiContext, jobId: string, lastEventId: string | undefined) {
  let seen = parseEventId(jobId, lastEventId)
  return async ({ job, readyModes }: FollowedJob): Promise<ServerEvent[] | null> => {
    if (hasEnded(job) && seen.position === END) return null
    const events: ServerEvent[] = []
    let has = seen
    const add = (name: string, data: unknown, change: Partial<Seen>): void => {
      has = { ...has, ...change }
      events.push({ name, id: formatEventId(job.id, has), data })
    }
    const missing = readyModes.filter((mode) => !has.modes.includes(mode))
    const summaries = missing.length > 0 ? await readSummaries(ctx, job.id, missing) : []
    for (const summary of summaries) {
      add('summary', presentSummary(job, summary), { modes: [...has.modes, summary.mode] })
    }
    if (hasEnded(job)) add(job.status, presentEnd(ctx, job), { position: END })
    else if (positionOf(job) !== has.position) {
      add('progress', presentJob(job, await ctx.estimateRemaining(job)), { position: positionOf(job) })
    }
    // Only now: a look that failed half-way is made again from the same place.
    seen = has
    return events
  }
}

const presentSummary = ({ id, videoId }: Job, { mode, content, model, startOf }: FinishedSummary) => ({
  job_id: id,
  mode,
  text: renderSummaryMarkdown(mode, content, { videoId, startOf }),
  model,
})

const presentEnd = (ctx: ApiContext, job: Job) => ({
  ...presentJob(job, 0),
  ...(job.status === 'completed' && {
    result_url: `${ctx.http.publicBaseUrl}${resultPath(job.id)}`,
    ...(job.warnings.length > 0 && { warnings: job.warnings }),
  }),
})
