import {
  acquireLease,
  deleteOldBatches,
  deleteOldEndpoints,
  deleteOldJobs,
  deleteOldLeases,
  deleteOldNotes,
  deleteOldQuotas,
  deleteOldReceivers,
  deleteOldVideos,
  deleteOldWebhookEvents,
  deleteUnusedSummaries,
  deleteUnusedTranscripts,
  type PurgeTerms,
  type Sql,
} from '@subtext/db'
import { v4 as randomId } from 'uuid'
import type { Context } from './context.ts'

/** Days that things are kept; 0: for ever. */
export interface RetentionPolicy {
  /** Jobs with their results, after they ended. */
  resultsDays: number
  /** Transcripts and summaries that no result has, and notes on transcripts. */
  cacheDays: number
  /** Webhook events, after their deliveries ended. */
  webhooksDays: number
}

type Purge = (sql: Sql, terms: PurgeTerms) => Promise<number>
type PurgeContext = Pick<Context, 'db' | 'clock'>

const ROWS_A_STATEMENT = 100
/** Bounds a round; what is left waits for the next one. */
const MAX_STATEMENTS = 50
const DAY_MS = 86_400_000
/** What the platform says of a video is believed for minutes only, and a lease lasts for seconds. */
const VIDEO_DAYS = 1
const LEASE_DAYS = 1
/** Longer than all the attempts of a delivery take. */
const RECEIVER_DAYS = 30

/** Deletes what is older than the policy keeps, until it is stopped. Any number of workers may do so at once. */
export async function purgeOld(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  const now = ctx.clock()
  const { resultsDays, webhooksDays } = policy
  const purges: [Purge, Date | null][] = [
    [deleteOldJobs, daysBefore(now, resultsDays)],
    [deleteOldBatches, daysBefore(now, resultsDays)],
    [deleteOldWebhookEvents, daysBefore(now, webhooksDays)],
    [deleteOldVideos, daysBefore(now, VIDEO_DAYS)],
    [deleteOldLeases, daysBefore(now, LEASE_DAYS)],
    [deleteOldReceivers, daysBefore(now, RECEIVER_DAYS)],
    [deleteOldEndpoints, daysBefore(now, RECEIVER_DAYS)],
    // No quota looks further back.
    [deleteOldQuotas, resultsDays > 0 ? startOfMonthBefore(now) : null],
  ]
  await purgeAll(ctx, purges, stopping)
}

const LOOK_FOR_UNUSED_SECONDS = 3_600

/**
 * Deletes transcripts, notes and summaries that nobody has a use for. To find them all of that age are looked at, hence one
 * worker of all does so once an hour.
 */
export async function purgeUnused(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  const before = daysBefore(ctx.clock(), policy.cacheDays)
  if (!before || !(await acquireLease(ctx.db, 'purge unused', randomId(), LOOK_FOR_UNUSED_SECONDS))) return
  const purges: [Purge, Date][] = [
    [deleteUnusedSummaries, before],
    [deleteOldNotes, before],
    [deleteUnusedTranscripts, before],
  ]
  await purgeAll(ctx, purges, stopping)
}

async function purgeAll(ctx: PurgeContext, purges: [Purge, Date | null][], stopping: AbortSignal): Promise<void> {
  for (const [deleteSome, before] of purges) {
    for (let statement = 0; before && statement < MAX_STATEMENTS && !stopping.aborted; statement++) {
      if ((await deleteSome(ctx.db, { before, limit: ROWS_A_STATEMENT })) < ROWS_A_STATEMENT) break
    }
  }
}

/** Null: never. */
const daysBefore = (now: Date, days: number): Date | null => (days > 0 ? new Date(now.getTime() - days * DAY_MS) : null)

const startOfMonthBefore = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
