import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError, type SummaryMode } from '@subtext/contracts'
import {
  type FollowedJob,
  findCueStarts,
  findFollowedJob,
  isDatabaseUnavailable,
  type JobSummary,
  listJobSummaries,
} from '@subtext/db'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createInterruptibleSleep } from '../coordination/interruptible-sleep.ts'
import { hasEnded, POLL_INTERVAL_MS } from './get.ts'

/** Looks that close together would show nothing new; several signals of a busy moment become one. */
const PAUSE_MS = 100

/**
 * Shows a job of the actor by `present` now, and again whenever it may have moved on, until it has ended or `signal` is
 * aborted. The first look throws `NOT_FOUND` for a foreign, unknown or malformed id; later ones sit out a database that
 * is away.
 */
export async function* followJob<T>(
  ctx: Pick<Context, 'db' | 'signals'>,
  { actor, jobId, signal }: { actor: Actor; jobId: string; signal: AbortSignal },
  present: (followed: FollowedJob) => Promise<T>,
): AsyncGenerator<T> {
  const pause = createInterruptibleSleep()
  const wake = (id: string): void => {
    if (id === jobId) pause.wake()
  }
  const stopListening = [ctx.signals.listen('job', wake), ctx.signals.listen('progress', wake)]
  signal.addEventListener('abort', pause.wake, { once: true })
  let isFirst = true
  try {
    do {
      const followed = await look(ctx, actor, jobId, present).catch((error: unknown) => {
        if (isFirst || !isDatabaseUnavailable(error)) throw error
        return null
      })
      isFirst = false
      if (followed) yield followed.shown
      if (followed?.ended) return
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => {}) // aborted: there is no next look
      if (!signal.aborted) await pause.wait(POLL_INTERVAL_MS)
    } while (!signal.aborted)
  } finally {
    for (const stop of stopListening) stop()
    signal.removeEventListener('abort', pause.wake)
  }
}

async function look<T>(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  jobId: string,
  present: (followed: FollowedJob) => Promise<T>,
): Promise<{ shown: T; ended: boolean }> {
  const followed = await findOwn(ctx, actor, jobId)
  return { shown: await present(followed), ended: hasEnded(followed.job) }
}

async function findOwn(ctx: Pick<Context, 'db'>, actor: Actor, jobId: string): Promise<FollowedJob> {
  const followed = isUuid(jobId) ? await findFollowedJob(ctx.db, actor.userId, jobId) : null
  if (!followed) throw new ServiceError('NOT_FOUND')
  return followed
}

export interface FinishedSummary extends Pick<JobSummary, 'mode' | 'content' | 'model'> {
  /** Start in milliseconds of a segment the summary cites; undefined when the transcript has no such segment. */
  startOf(segmentId: number): number | undefined
}

/** Finished summaries of a job that was found for its owner before, in the order of `modes`; the job may still go on. */
export async function readSummaries(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  modes: SummaryMode[],
): Promise<FinishedSummary[]> {
  const summaries = (await listJobSummaries(ctx.db, jobId)).sort(
    (a, b) => modes.indexOf(a.mode) - modes.indexOf(b.mode),
  )
  return Promise.all(
    summaries
      .filter(({ mode }) => modes.includes(mode))
      .map(async ({ mode, content, model, transcriptId }) => {
        const points = [...content.overview, ...content.sections.flatMap((section) => section.points)]
        // Only a timeline shows times.
        const cited = mode === 'timestamped' ? points.flatMap((point) => point.segmentIds) : []
        const starts = await findCueStarts(ctx.db, transcriptId, cited)
        return { mode, content, model, startOf: (segmentId) => starts.get(segmentId) }
      }),
  )
}
