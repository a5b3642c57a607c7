import type { Db } from '@subtext/db'
import { v4 as randomId } from 'uuid'
import { purgeDeletedAccounts } from '../accounts/delete.ts'
import type { Context } from '../context.ts'
import { acquireLease } from '../coordination/index.ts'
import { deleteExpiredIdempotencyKeys } from '../idempotency/index.ts'
import { deleteUnusedImports } from '../imports/index.ts'
import { deleteGoneVideos, deleteOldChecks, deleteOldListings, deleteUnusedSources } from '../sources/index.ts'
import { deleteOldSpending } from '../spending/index.ts'
import { purgeTables } from '../tables/index.ts'
import { purgeTemplates } from '../templates/index.ts'
import {
  deleteOldNotes,
  deleteUnusedSummaries,
  deleteUnusedTranscripts,
  type UnusedPurge,
} from './cache-retention-sql.ts'
import {
  deleteExpiredAttempts,
  deleteExpiredCodes,
  deleteExpiredGrants,
  deleteExpiredInvitations,
  deleteExpiredSessions,
  deleteExpiredSignInLinks,
  deleteExpiredSignUps,
  deleteExpiredTokens,
  deleteExpiredVerifications,
  deleteOldBatches,
  deleteOldConversations,
  deleteOldCosts,
  deleteOldEmails,
  deleteOldEndpoints,
  deleteOldJobs,
  deleteOldOperatorActions,
  deleteOldQuotas,
  deleteOldReceivers,
  deleteOldSubscriptionEvents,
  deleteOldThumbnails,
  deleteOldVideos,
  deleteOldWebhookEvents,
  deleteUnsentEmails,
  deleteUnusedClients,
  type PurgeOptions,
} from './retention-sql.ts'

/** Retention in days; 0 keeps everything forever. */
export interface RetentionPolicy {
  /** Jobs and their results, counted from the end of the job. */
  resultsDays: number
  /** Transcripts and summaries that no result uses, and notes on transcripts. */
  cacheDays: number
  /** Webhook events, counted from the end of their deliveries. */
  webhooksDays: number
}

/** Number of rows deleted, by kind. */
export type Purged = Partial<Record<Kind, number>>
type Kind = keyof typeof PURGES | 'summaries' | 'transcripts'
type Purge = (db: Db, options: PurgeOptions) => Promise<number>
type PurgeContext = Pick<Context, 'db' | 'clock'>

const ROWS_PER_STATEMENT = 100
/** Higher, because every submission may leave a row, and nothing depends on it. */
const KEYS_PER_STATEMENT = 1_000
/** Limit per table and round; the next round deletes the rest. */
const MAX_STATEMENTS = 50
const DAY_MS = 86_400_000
/** Longer than accepting the job of an import takes. */
const IMPORT_GRACE_MS = 600_000
/** Information about a video is reused for minutes only. */
const VIDEO_DAYS = 1
/** An owner may upload a larger picture later. */
const THUMBNAIL_DAYS = 30
/** Longer than all attempts of a delivery can take. */
const RECEIVER_DAYS = 30
/** A list that nobody has can be read again from the platform. */
const SOURCE_DAYS = 7
/** A video that was private for a while may come back. */
const GONE_VIDEO_DAYS = 90
const CHECK_DAYS = 30
/** Longer than the hour of a quota. */
const LISTING_DAYS = 1
/** Longer than a connection lasts without being used. */
const CLIENT_DAYS = 90
/** Longer than the month of a quota, about which there is one email. */
const EMAIL_DAYS = 40

/** Fixed, so that operators cannot shorten the record of what they do. */
const OPERATOR_ACTION_DAYS = 730
/** Longer than a job can wait. */
const TEMPLATE_DAYS = 7

/** What is deleted by age alone. Jobs come before data that is kept for as long as they are. */
const PURGES = {
  'idempotency keys': (sql, { limit }) => deleteExpiredIdempotencyKeys(sql, limit),
  jobs: deleteOldJobs,
  imports: deleteUnusedImports,
  batches: deleteOldBatches,
  conversations: deleteOldConversations,
  'webhook events': deleteOldWebhookEvents,
  'events of subscriptions': deleteOldSubscriptionEvents,
  videos: deleteOldVideos,
  thumbnails: deleteOldThumbnails,
  'webhook receivers': deleteOldReceivers,
  'webhook endpoints': deleteOldEndpoints,
  'quota entries': deleteOldQuotas,
  'costs of deleted jobs': deleteOldCosts,
  spending: deleteOldSpending,
  notes: deleteOldNotes,
  sessions: deleteExpiredSessions,
  links: deleteExpiredVerifications,
  'links of operators': deleteExpiredSignInLinks,
  'sign-ups': deleteExpiredSignUps,
  invitations: deleteExpiredInvitations,
  'attempts to sign in': deleteExpiredAttempts,
  'OAuth codes': deleteExpiredCodes,
  'OAuth tokens': deleteExpiredTokens,
  'connected applications': deleteExpiredGrants,
  'OAuth clients': deleteUnusedClients,
  sources: deleteUnusedSources,
  'videos of sources': deleteGoneVideos,
  'counts of listings': deleteOldListings,
  'checks of sources': deleteOldChecks,
  'actions of operators': deleteOldOperatorActions,
  emails: deleteOldEmails,
  'unsent emails': deleteUnsentEmails,
  tables: (sql, { before, limit }) => purgeTables(sql, before, limit),
  'deleted templates': (sql, { before, limit }) => purgeTemplates(sql, before, limit),
} satisfies Record<string, Purge>

/** Deletes data that has expired by the policy, until `stopping` aborts. Safe to run in any number of workers at once. */
export async function purgeOld(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  await purgeDeletedAccounts(ctx, stopping)
  await purgeByAge(ctx, selectOld(ctx.clock(), policy), { stopping, maxStatements: MAX_STATEMENTS })
}

type Limits = Partial<Record<keyof typeof PURGES, Date | null>>

function selectOld(now: Date, { resultsDays, webhooksDays }: RetentionPolicy): Limits {
  return {
    // The store knows how long they are kept.
    'idempotency keys': now,
    jobs: daysBefore(now, resultsDays),
    // Those of jobs that are being accepted are kept.
    imports: new Date(now.getTime() - IMPORT_GRACE_MS),
    batches: daysBefore(now, resultsDays),
    conversations: daysBefore(now, resultsDays),
    'webhook events': daysBefore(now, webhooksDays),
    // Events that are kept for as long as their jobs are.
    'events of subscriptions': webhooksDays === 0 ? daysBefore(now, resultsDays) : null,
    videos: daysBefore(now, VIDEO_DAYS),
    thumbnails: daysBefore(now, THUMBNAIL_DAYS),
    'webhook receivers': daysBefore(now, RECEIVER_DAYS),
    'webhook endpoints': daysBefore(now, RECEIVER_DAYS),
    sessions: now,
    links: now,
    'links of operators': now,
    'sign-ups': now,
    invitations: now,
    'attempts to sign in': now,
    'OAuth codes': now,
    'OAuth tokens': now,
    'connected applications': now,
    'OAuth clients': daysBefore(now, CLIENT_DAYS),
    sources: daysBefore(now, SOURCE_DAYS),
    'videos of sources': daysBefore(now, GONE_VIDEO_DAYS),
    'counts of listings': daysBefore(now, LISTING_DAYS),
    'checks of sources': daysBefore(now, CHECK_DAYS),
    'actions of operators': daysBefore(now, OPERATOR_ACTION_DAYS),
    emails: daysBefore(now, EMAIL_DAYS),
    'unsent emails': daysBefore(now, EMAIL_DAYS),
    'costs of deleted jobs': daysBefore(now, resultsDays),
    spending: startOfMonthBefore(now),
    tables: daysBefore(now, resultsDays),
    'deleted templates': daysBefore(now, TEMPLATE_DAYS),
    'quota entries': earliest(daysBefore(now, resultsDays), startOfMonthBefore(now)),
  }
}

const PURGE_UNUSED_EVERY_SECONDS = 3_600
/** Maximum number of rows that one statement examines. */
const ROWS_PER_WINDOW = 500

/**
 * Deletes transcripts, notes and summaries that nothing uses. Finding them means examining all of that age, so one worker does
 * it, once an hour, in many short statements.
 */
export async function purgeUnused(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<void> {
  const before = daysBefore(ctx.clock(), policy.cacheDays)
  if (!before || !(await acquireLease(ctx.db, 'purge unused', randomId(), PURGE_UNUSED_EVERY_SECONDS))) return
  await purgeByAge(ctx, { notes: before }, { stopping, maxStatements: MAX_STATEMENTS })
  await purgeByUse(ctx, before, stopping)
}

/**
 * Deletes everything that has expired by the policy, however much it is, until `stopping` aborts. Safe to run while workers
 * purge as well.
 */
export async function purgeAll(ctx: PurgeContext, policy: RetentionPolicy, stopping: AbortSignal): Promise<Purged> {
  await purgeDeletedAccounts(ctx, stopping)
  const now = ctx.clock()
  const unusedBefore = daysBefore(now, policy.cacheDays)
  const limits = { ...selectOld(now, policy), notes: unusedBefore }
  const purged: Purged = await purgeByAge(ctx, limits, { stopping, maxStatements: Number.POSITIVE_INFINITY })
  return unusedBefore ? { ...purged, ...(await purgeByUse(ctx, unusedBefore, stopping)) } : purged
}

interface PurgeLimits {
  stopping: AbortSignal
  maxStatements: number
}

async function purgeByAge(
  ctx: PurgeContext,
  limits: Limits,
  { stopping, maxStatements }: PurgeLimits,
): Promise<Purged> {
  const purged: Purged = {}
  for (const [kind, before] of Object.entries(limits) as [keyof typeof PURGES, Date | null][]) {
    const limit = kind === 'idempotency keys' ? KEYS_PER_STATEMENT : ROWS_PER_STATEMENT
    for (let statement = 0; before && statement < maxStatements && !stopping.aborted; statement++) {
      const deleted = await PURGES[kind](ctx.db, { before, limit })
      purged[kind] = (purged[kind] ?? 0) + deleted
      if (deleted < limit) break
    }
  }
  return purged
}

async function purgeByUse(ctx: PurgeContext, before: Date, stopping: AbortSignal): Promise<Purged> {
  const purged = { summaries: 0, transcripts: 0 }
  const purges = { summaries: deleteUnusedSummaries, transcripts: deleteUnusedTranscripts }
  for (const kind of ['summaries', 'transcripts'] as const) {
    let after: string | null = null
    do {
      const window: UnusedPurge = await purges[kind](ctx.db, { before, limit: ROWS_PER_WINDOW, after })
      after = window.last
      purged[kind] += window.deleted
    } while (after && !stopping.aborted)
  }
  return purged
}

/** Null to delete nothing. */
const daysBefore = (now: Date, days: number): Date | null => (days > 0 ? new Date(now.getTime() - days * DAY_MS) : null)

/** Entries of jobs that still exist are skipped, and no quota reaches back beyond the last month. */
const earliest = (jobsBefore: Date | null, quotasBefore: Date): Date | null =>
  jobsBefore && (jobsBefore < quotasBefore ? jobsBefore : quotasBefore)

const startOfMonthBefore = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
