import {
  acquireLease,
  deleteOldBatches,
  deleteOldEndpoints,
  deleteOldJobs,
  deleteOldLeases,
  deleteOldNotes,
  deleteOldQuotas,
  deleteOldReceivers,
  deleteOldThumbnails,
  deleteOldVideos,
  deleteOldWebhookEvents,
  deleteUnusedSummaries,
  deleteUnusedTranscripts,
  type PurgeOptions,
  type Sql,
} from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from './context.ts'

/** Retention in days; 0 keeps everything forever. */
export interface RetentionPolicy {
  /** Jobs and their results, counted from the end of the job. */
  resultsDays: number
  /** Transcripts and summaries that no result uses, and notes on transcripts. */
  cacheDays: number
  /** Webhook events, counted from the end of their deliveries. */
  webhooksDays: number
}

type Purge = (sql: Sql, options: PurgeOptions) => Promise<number>
type PurgeContext = Pick<Context, 'db' | 'clock'>

const ROWS_PER_STATEMENT = 100
/** Limit per table and round; the next round deletes the rest. */
const MAX_STATEMENTS = 50
const DAY_MS = 86_400_000
/** Information about a video is reused for minutes only, and a lease lasts for seconds. */
const VIDEO_DAYS = 1
const LEASE_DAYS = 1
/** An owner may upload a larger picture later. */
const THUMBNAIL_DAYS = 30
/** Longer than all attempts of a delivery can take. */
const RECEIVER_DAYS = 30

/** Deletes what has outlived the policy, until `stopping` aborts. Safe to run in any number of workers at once. */
export async function purgeOld(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  const now = ctx.clock()
  const { resultsDays, webhooksDays } = policy
  const purges: [Purge, Date | null][] = [
    [deleteOldJobs, daysBefore(now, resultsDays)],
    [deleteOldBatches, daysBefore(now, resultsDays)],
    [deleteOldWebhookEvents, daysBefore(now, webhooksDays)],
    [deleteOldVideos, daysBefore(now, VIDEO_DAYS)],
    [deleteOldThumbnails, daysBefore(now, THUMBNAIL_DAYS)],
    [deleteOldLeases, daysBefore(now, LEASE_DAYS)],
    [deleteOldReceivers, daysBefore(now, RECEIVER_DAYS)],
    [deleteOldEndpoints, daysBefore(now, RECEIVER_DAYS)],
    [deleteOldQuotas, earliest(daysBefore(now, resultsDays), startOfMonthBefore(now))],
  ]
  await purgeAll(ctx, purges, stopping)
}

const PURGE_UNUSED_EVERY_SECONDS = 3_600
/** Rows that one statement looks at. */
const ROWS_PER_WINDOW = 500

/**
 * Deletes transcripts, notes and summaries that nothing uses. Finding them means looking at all of that age, so only one
 * worker does so, once an hour, in many short statements.
 */
export async function purgeUnused(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  const before = daysBefore(ctx.clock(), policy.cacheDays)
  if (!before || !(await acquireLease(ctx.db, 'purge unused', randomId(), PURGE_UNUSED_EVERY_SECONDS))) return
  await purgeAll(ctx, [[deleteOldNotes, before]], stopping)
  for (const deleteUnused of [deleteUnusedSummaries, deleteUnusedTranscripts]) {
    let after: string | null = null
    do {
      after = await deleteUnused(ctx.db, { before, limit: ROWS_PER_WINDOW, after })
    } while (after && !stopping.aborted)
  }
}

async function purgeAll(ctx: PurgeContext, purges: [Purge, Date | null][], stopping: AbortSignal): Promise<void> {
  for (const [deleteSome, before] of purges) {
    for (let statement = 0; before && statement < MAX_STATEMENTS && !stopping.aborted; statement++) {
      if ((await deleteSome(ctx.db, { before, limit: ROWS_PER_STATEMENT })) < ROWS_PER_STATEMENT) break
    }
  }
}

/** Null: delete nothing. */
const daysBefore = (now: Date, days: number): Date | null => (days > 0 ? new Date(now.getTime() - days * DAY_MS) : null)

/** Entries of jobs that are kept are not looked at, and no quota covers anything before the last month. */
const earliest = (jobsBefore: Date | null, quotasBefore: Date): Date | null =>
  jobsBefore && (jobsBefore < quotasBefore ? jobsBefore : quotasBefore)

const startOfMonthBefore = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
