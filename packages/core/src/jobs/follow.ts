import { setTimeout as sleep } from 'node:timers/promises'
import { listPoints, ServiceError, type SummaryMode } from '@subtext/contracts'
import { isDatabaseUnavailable } from '@subtext/db'
import { validate as isUuid } from 'uuid'
import type { Actor, Context } from '../context.ts'
import { createInterruptibleSleep } from '../coordination/interruptible-sleep.ts'
import { type JobSummary, listJobSummaries } from '../summaries/index.ts'
import { findCueStarts } from '../transcripts/index.ts'
import type { FollowedJob } from './find-sql.ts'
import { hasEnded } from './get.ts'
import type { LookupContext } from './lookups.ts'
import { POLL_INTERVAL_MS } from './watch.ts'

/** Minimum interval between two reads: one read answers all notifications that arrive within it. */
const MIN_INTERVAL_MS = 100

/**
 * Yields a job of the actor, as returned by `present`, now and whenever it may have changed, until it has ended or `signal`
 * is aborted. The first read throws `NOT_FOUND` for an unknown or malformed ID, or one of another account; later reads are
 * skipped while the database is unavailable.
 */
export async function* followJob<T>(
  ctx: LookupContext & Pick<Context, 'notifier'>,
  { actor, jobId, signal }: { actor: Actor; jobId: string; signal: AbortSignal },
  present: (followed: FollowedJob) => Promise<T>,
): AsyncGenerator<T> {
  const pause = createInterruptibleSleep()
  const wake = (id: string): void => {
    if (id === jobId) pause.wake()
  }
  const subscriptions = [ctx.notifier.subscribe('job', wake), ctx.notifier.subscribe('progress', wake)]
  const watch = ctx.lookups.watch(pause.wake)
  signal.addEventListener('abort', pause.wake, { once: true })
  let isFirst = true
  try {
    do {
      const seen = await read(ctx, actor, jobId, present).catch((error: unknown) => {
        if (isFirst || !isDatabaseUnavailable(error)) throw error
        return null
      })
      isFirst = false
      if (seen) yield seen.shown
      if (seen && hasEnded(seen.followed.job)) return
      // It may have been aborted before there was a listener. Nothing else would end the wait.
      if (signal.aborted) return
      const readAt = performance.now()
      if (seen) watch.lookAfter(seen.followed)
      await pause.wait(seen ? undefined : POLL_INTERVAL_MS)
      const waitedMs = performance.now() - readAt
      // Aborted, so there is no next read.
      if (waitedMs < MIN_INTERVAL_MS) await sleep(MIN_INTERVAL_MS - waitedMs, undefined, { signal }).catch(() => {})
    } while (!signal.aborted)
  } finally {
    watch.stop()
    for (const unsubscribe of subscriptions) unsubscribe()
    signal.removeEventListener('abort', pause.wake)
  }
}

async function read<T>(
  ctx: LookupContext,
  actor: Actor,
  jobId: string,
  present: (followed: FollowedJob) => Promise<T>,
): Promise<{ shown: T; followed: FollowedJob }> {
  const followed = await findOwn(ctx, actor, jobId)
  return { shown: await present(followed), followed }
}

async function findOwn({ lookups }: LookupContext, actor: Actor, jobId: string): Promise<FollowedJob> {
  const followed = isUuid(jobId) ? await lookups.findFollowed({ userId: actor.userId, jobId }) : null
  if (!followed) throw new ServiceError('NOT_FOUND')
  return followed
}

export interface FinishedSummary extends Pick<JobSummary, 'mode' | 'content' | 'model'> {
  /** Returns the start in milliseconds of a cited segment; undefined if the transcript has no such segment. */
  startOf(segmentId: number): number | undefined
}

/**
 * Returns the finished summaries of a job in the order of `modes`; the job may still be running. The caller has made sure
 * that the job belongs to the actor.
 */
export async function readSummaries(
  ctx: Pick<Context, 'db'>,
  jobId: string,
  modes: SummaryMode[],
): Promise<FinishedSummary[]> {
  const all = await listJobSummaries(ctx.db, jobId)
  const summaries = all
    .filter(({ mode }) => modes.includes(mode))
    .sort((a, b) => modes.indexOf(a.mode) - modes.indexOf(b.mode))
  const starts = await findStarts(ctx, summaries)
  return summaries.map(({ mode, content, model, transcriptId }) => ({
    mode,
    content,
    model,
    startOf: (segmentId) => starts.get(transcriptId)?.get(segmentId),
  }))
}

/** Returns the starts of all cited segments by transcript, reading each transcript once. */
async function findStarts(
  ctx: Pick<Context, 'db'>,
  summaries: JobSummary[],
): Promise<Map<string, ReadonlyMap<number, number>>> {
  const cited = new Map<string, number[]>()
  for (const { transcriptId, content } of summaries) {
    const segmentIds = listPoints(content).flatMap((point) => point.segmentIds)
    cited.set(transcriptId, [...(cited.get(transcriptId) ?? []), ...segmentIds])
  }
  const found = [...cited].map(
    async ([id, segmentIds]) => [id, await findCueStarts(ctx.db, id, [...new Set(segmentIds)])] as const,
  )
  return new Map(await Promise.all(found))
}
