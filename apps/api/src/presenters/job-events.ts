import { SummaryMode } from '@subtext/contracts'
import { type FinishedSummary, type FollowedJob, hasEnded, type Job, readSummaries } from '@subtext/core/jobs'
import { renderSummaryMarkdown } from '@subtext/render'
import type { ApiContext } from '../context.ts'
import type { SentEvent } from '../http/event-stream.ts'
import { presentJob, resultPath } from './job.ts'

/** What a reader of a job's events has received so far. */
interface Seen {
  /** Modes whose summaries it has received. */
  modes: SummaryMode[]
  /** The last other event: status, step, percentage and time of the next attempt, or `end`. Empty before the first one. */
  position: string
}

const NOTHING: Seen = { modes: [], position: '' }
const END = 'end'

const positionOf = ({ status, step, progress, nextAttemptAt }: Job): string =>
  [status, step, progress, ...(nextAttemptAt ? [nextAttemptAt.getTime()] : [])].join('.')

/** Formats `<job id>/<modes>/<position>`. The ID holds all state, so that a reader can resume at any process. */
const formatEventId = (jobId: string, { modes, position }: Seen): string => `${jobId}/${modes.join('+')}/${position}`

/** Parses an event ID. With an ID that does not belong to this job, the reader gets all events. */
function parseEventId(jobId: string, eventId: string | undefined): Seen {
  const [ofJob, listed = '', position, ...rest] = (eventId ?? '').split('/')
  if (ofJob !== jobId || position === undefined || rest.length > 0) return NOTHING
  const modes = SummaryMode.array().safeParse(listed === '' ? [] : listed.split('+'))
  return modes.success ? { modes: modes.data, position } : NOTHING
}

/**
 * Returns a function that turns the current state of a job into the events that the reader has not received, starting from
 * its last event ID. That function returns null once the reader has received the final event.
 */
export function createEventPresenter(ctx: ApiContext, jobId: string, lastEventId: string | undefined) {
  let seen = parseEventId(jobId, lastEventId)
  return async ({ job, readyModes }: FollowedJob): Promise<SentEvent[] | null> => {
    if (hasEnded(job) && seen.position === END) return null
    const events: SentEvent[] = []
    let sent = seen
    const add = (name: string, data: unknown, change: Partial<Seen>): void => {
      sent = { ...sent, ...change }
      events.push({ name, id: formatEventId(job.id, sent), data })
    }
    const missing = readyModes.filter((mode) => !sent.modes.includes(mode))
    const summaries = missing.length > 0 ? await readSummaries(ctx, job.id, missing) : []
    for (const summary of summaries) {
      add('summary', presentSummary(job, summary), { modes: [...sent.modes, summary.mode] })
    }
    if (hasEnded(job)) add(job.status, presentEnd(ctx, job), { position: END })
    else if (positionOf(job) !== sent.position) {
      add('progress', presentJob(job, await ctx.estimateRemaining(job)), { position: positionOf(job) })
    }
    // Updated last, so that after an error the next call starts from the same place.
    seen = sent
    return events
  }
}

const presentSummary = (job: Job, { mode, content, model, startOf }: FinishedSummary) => ({
  job_id: job.id,
  mode,
  text: renderSummaryMarkdown(mode, content, { place: job.videoUrl ?? job.videoId, startOf }),
  model,
})

const presentEnd = (ctx: ApiContext, job: Job) => ({
  ...presentJob(job, 0),
  ...(job.status === 'completed' && {
    result_url: `${ctx.http.publicBaseUrl}${resultPath(job.id)}`,
    ...(job.warnings.length > 0 && { warnings: job.warnings }),
  }),
})
