import { listPoints, type SummaryContent } from '@subtext/contracts'
import type { Context } from '../context.ts'
import { queueNotice } from '../emails/queue.ts'
import { videoUrlOf } from '../videos/video-url.ts'
import { findShortSummaries, listDueDigests, takeDigest, tellItems } from './digests-sql.ts'
import { describeVideo, stopPathOf } from './told-video.ts'

type DigestContext = Pick<Context, 'db' | 'clock'>

const PER_ROUND = 100
/** More would not be read. */
const MAX_VIDEOS = 100

const textOf = (content: SummaryContent): string =>
  listPoints(content)
    .map(({ text }) => text)
    .join(' ')

/**
 * Queues the digests that are due at a time. Each item is told once, in the transaction that queues its digest, so that one that
 * cannot be sent is sent later and never twice. Nothing new is no digest. Returns how many were queued.
 */
export async function queueDigests(ctx: DigestContext, at: Date = ctx.clock()): Promise<number> {
  let queued = 0
  for (;;) {
    const due = await listDueDigests(ctx.db, at, PER_ROUND)
    for (const id of due) if (await queueDigest(ctx, id, at)) queued++
    if (due.length < PER_ROUND) return queued
  }
}

/** Queues a digest. Returns whether there was anything to tell. */
const queueDigest = (ctx: DigestContext, id: string, at: Date): Promise<boolean> =>
  ctx.db.transaction(async (sql) => {
    const now = ctx.clock()
    const digest = await takeDigest(sql, id, { at, now })
    if (!digest) return false
    const items = await tellItems(sql, id, digest.digestedAt, now)
    if (items.length === 0) return false
    const told = items.slice(-MAX_VIDEOS).reverse()
    const jobIds = told.flatMap(({ jobId, state }) => (jobId !== null && state === 'processed' ? [jobId] : []))
    const summaries = await findShortSummaries(sql, jobIds)
    await queueNotice(sql, now, {
      userId: digest.userId,
      recipient: digest.email,
      kind: 'subscription_digest',
      data: {
        source: digest.sourceTitle ?? '',
        videos: told.map((item) => {
          const content = summaries.get(item.jobId ?? '')
          return describeVideo({ ...item, summary: content ? textOf(content) : null }, videoUrlOf(item))
        }),
        more: items.length - told.length,
        stop: stopPathOf(id, digest.stopKey),
      },
    })
    return true
  })
