import { listPoints, type SummaryContent } from '@subtext/contracts'
import type { Context } from '../context.ts'
import { readSummarizedJobs, type SummarizedJob } from '../digests/index.ts'
import type { ToldTheme } from '../emails/kinds.ts'
import { queueNotice } from '../emails/queue.ts'
import { videoUrlOf } from '../videos/video-url.ts'
import { findShortSummaries, listDueDigests, takeDigest, tellItems } from './digests-sql.ts'
import { describeVideo, stopPathOf } from './told-video.ts'

/** Groups what several videos speak of. */
type FindThemes = (
  jobs: readonly SummarizedJob[],
) => readonly { title: string; points: readonly { jobId: string; text: string; url: string }[] }[]

interface DigestContext extends Pick<Context, 'db' | 'clock'> {
  findThemes: FindThemes
}

const PER_ROUND = 100
/** More would not be read. */
const MAX_VIDEOS = 100
const MAX_THEMES = 5
const MAX_POINTS = 4
const MAX_POINT = 300

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
        themes: describeThemes(ctx.findThemes(await readSummarizedJobs(sql, jobIds)), told),
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

/** Returns what an email says of themes: their first points. */
const describeThemes = (
  themes: ReturnType<FindThemes>,
  videos: readonly { jobId: string | null; title: string }[],
): ToldTheme[] => {
  const titles = new Map(videos.map(({ jobId, title }) => [jobId, title]))
  return themes.slice(0, MAX_THEMES).map(({ title, points }) => ({
    title,
    points: points.slice(0, MAX_POINTS).map(({ jobId, text, url }) => ({
      text: text.slice(0, MAX_POINT).toWellFormed(),
      url,
      video: titles.get(jobId) ?? '',
    })),
  }))
}
