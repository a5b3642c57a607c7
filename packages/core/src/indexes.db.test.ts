import { randomUUID } from 'node:crypto'
import type { Transactional } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { findKeyHolders, listInvalidKeys } from './api-keys/keys-sql.ts'
import { findBatch, listBatchJobs, listBatchRows } from './batches/batches-sql.ts'
import { listOrphanedBlobs } from './blobs/blobs-sql.ts'
import { listUsageSamples } from './estimates/estimates-sql.ts'
import { claimJobs } from './jobs/claim-sql.ts'
import { listJobRows } from './jobs/list-sql.ts'
import { listLaneLoads, listRecentRuns } from './jobs/pace-sql.ts'
import { findNextInLine, takeHeldJobOf, takeHeldJobs } from './jobs/shares-sql.ts'
import { listDueJobs } from './jobs/sweep-sql.ts'
import {
  listAccountRows,
  listFailingEndpoints,
  sumSpendingByDay,
  sumSpendingByModel,
} from './operations/operations-sql.ts'
import { deleteOldNotes, deleteUnusedSummaries, deleteUnusedTranscripts } from './retention/cache-retention-sql.ts'
import {
  deleteOldBatches,
  deleteOldEndpoints,
  deleteOldJobs,
  deleteOldQuotas,
  deleteOldReceivers,
  deleteOldThumbnails,
  deleteOldVideos,
  deleteOldWebhookEvents,
} from './retention/retention-sql.ts'
import { findSummariesOrAcquire, listJobWork } from './summaries/job-work-sql.ts'
import { findNotes } from './summaries/notes-sql.ts'
import { findTranscript } from './transcripts/transcripts-sql.ts'
import { findVideoOrAcquire } from './transcripts/videos-sql.ts'
import { listClaimableDeliveries, queueDueDeliveries } from './webhooks/claim-sql.ts'
import { listWebhookDeliveries } from './webhooks/log-sql.ts'

// On a table of a few rows the planner prefers a sequential scan.
const { db } = useTestDatabase({ maxConnections: 1, settings: { enable_seqscan: 'off' } })

/** Collects the plans of the statements instead of running them. */
async function planOf(read: (sql: Transactional) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  const sql: Transactional = {
    async query(text, values) {
      const { rows } = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      plans.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [], rowCount: 0 }
    },
    transaction: (work) => work(sql),
  }
  await read(sql)
  return plans.join('\n')
}

const id = randomUUID()
const WANTED = { mode: 'tldr' as const, cacheKey: Buffer.alloc(32) }
const LEASE = { key: 'k', token: id, seconds: 1 }
const OLD = { before: new Date(), limit: 100 }
const NO_FILTER = { status: null, type: null, subjectId: null }
const reads: [string, string, (sql: Transactional) => Promise<unknown>][] = [
  ['queued jobs that are due', 'jobs_wake_at_idx', (sql) => listDueJobs(sql, 'queued', null, 500)],
  ['running jobs that are due', 'jobs_processing_wake_at_idx', (sql) => listDueJobs(sql, 'processing', null, 500)],
  [
    'the running jobs of an account',
    'jobs_leased_idx',
    (sql) => claimJobs(sql, [{ jobId: id, token: id }], { leaseSeconds: 60, share: 5 }),
  ],
  ['accounts waiting for a lane', 'jobs_line_idx', (sql) => findNextInLine(sql, 'normal', id, 5)],
  ["an account's held jobs", 'jobs_held_idx', (sql) => takeHeldJobOf(sql, id, 'normal')],
  ['held jobs', 'jobs_held_idx', (sql) => takeHeldJobs(sql, 'normal', { share: 5, spare: 5, limit: 50, from: id })],
  [
    'the lines of receivers',
    'webhook_deliveries_ready_idx',
    (sql) => listClaimableDeliveries(sql, { from: id, cap: 5, limit: 5, smallBytes: 1_000 }),
  ],
  ['deliveries that become due', 'webhook_deliveries_waiting_idx', (sql) => queueDueDeliveries(sql, true)],
  ['old jobs', 'jobs_pkey', (sql) => deleteOldJobs(sql, OLD)],
  ['old batches', 'batches_pkey', (sql) => deleteOldBatches(sql, OLD)],
  ['old events', 'webhook_events_pkey', (sql) => deleteOldWebhookEvents(sql, OLD)],
  ['old quotas', 'quota_entries_pkey', (sql) => deleteOldQuotas(sql, OLD)],
  ['old videos', 'videos_fetched_at_idx', (sql) => deleteOldVideos(sql, OLD)],
  ['old thumbnails', 'thumbnails_checked_at_idx', (sql) => deleteOldThumbnails(sql, OLD)],
  ['unused receivers', 'webhook_receivers_updated_at_idx', (sql) => deleteOldReceivers(sql, OLD)],
  ['unused endpoints', 'webhook_endpoints_updated_at_idx', (sql) => deleteOldEndpoints(sql, OLD)],
  ['uses of a summary', 'job_summaries_summary_id_idx', (sql) => deleteUnusedSummaries(sql, { ...OLD, after: null })],
  [
    'results of a transcript',
    'results_transcript_id_idx',
    (sql) => deleteUnusedTranscripts(sql, { ...OLD, after: null }),
  ],
  [
    'summaries of a transcript',
    'summaries_transcript_id_idx',
    (sql) => deleteUnusedTranscripts(sql, { ...OLD, after: null }),
  ],
  ['files of deleted jobs', 'blobs_orphaned_idx', (sql) => listOrphanedBlobs(sql, OLD)],
  ['old notes', 'transcript_notes_pkey', (sql) => deleteOldNotes(sql, OLD)],
  ['running jobs of a video', 'jobs_wake_at_idx', (sql) => deleteUnusedTranscripts(sql, { ...OLD, after: null })],
  ['the pace of recent jobs', 'results_completed_at_idx', listRecentRuns],
  ['the load of the lanes', 'jobs_wake_at_idx', listLaneLoads],
  ['a key', 'api_keys_hash_key', (sql) => findKeyHolders(sql, ['00'.repeat(32), '01'.repeat(32)])],
  [
    'keys of open streams',
    'api_keys_pkey',
    (sql) => listInvalidKeys(sql, [id, id], { now: new Date(), plans: ['pro'] }),
  ],
  ['a transcript', 'transcripts_video_id_track_key_fetched_at_idx', (sql) => findTranscript(sql, 'v', 'k', new Date())],
  [
    'notes',
    'transcript_notes_pkey',
    (sql) => findNotes(sql, { userId: id, transcriptId: id, key: Buffer.alloc(32) }, new Date()),
  ],
  [
    'summaries',
    'summaries_cache_key_created_at_idx',
    (sql) => findSummariesOrAcquire(sql, { jobId: id, userId: id, wanted: [WANTED], notBefore: new Date() }, LEASE),
  ],
  ['a video', 'videos_pkey', (sql) => findVideoOrAcquire(sql, 'v', new Date(), LEASE)],
  ['the work on a job', 'job_spendings_job_id_idx', (sql) => listJobWork(sql, id)],
  [
    "a user's jobs",
    // Either of two indexes: without rows they cost the same.
    'jobs_user_id_',
    (sql) => listJobRows(sql, id, { status: null, before: id, skip: 0, limit: 20 }),
  ],
  [
    "a user's jobs of a status",
    'jobs_user_id_status_id_idx',
    (sql) => listJobRows(sql, id, { status: 'failed', before: null, skip: 40, limit: 20 }),
  ],
  [
    "a user's deliveries",
    // Either of two indexes: without rows they cost the same.
    'webhook_deliveries_user_id_',
    (sql) => listWebhookDeliveries(sql, id, NO_FILTER, { before: id, skip: 0, limit: 20 }),
  ],
  [
    "a user's deliveries of a status",
    'webhook_deliveries_user_id_status_id_idx',
    (sql) => listWebhookDeliveries(sql, id, { ...NO_FILTER, status: 'failed' }, { before: null, skip: 40, limit: 20 }),
  ],
  [
    'the deliveries of a job',
    'webhook_events_subject_id_type_key',
    (sql) => listWebhookDeliveries(sql, id, { ...NO_FILTER, subjectId: id }, { before: null, skip: 0, limit: 20 }),
  ],
  ['failing endpoints', 'webhook_endpoints_updated_at_idx', (sql) => listFailingEndpoints(sql, 100)],
  ['the spending of days', 'usage_rollups_days_idx', (sql) => sumSpendingByDay(sql, new Date())],
  ['what was paid in the last hour', 'summaries_pkey', (sql) => sumSpendingByModel(sql, new Date(), new Date())],
  ['the latest spendings of a model', 'job_spendings_pkey', (sql) => listUsageSamples(sql, 'm', new Date())],
  [
    'the account of an address',
    'users_email_key',
    (sql) => listAccountRows(sql, 'a', { before: id, skip: 0, limit: 20 }),
  ],
  ["a batch's jobs", 'jobs_batch_id_idx', (sql) => listBatchJobs(sql, id)],
  ['a batch with its jobs', 'jobs_batch_id_idx', (sql) => findBatch(sql, id, id)],
  [
    "a user's batches",
    // Either of two indexes: without rows they cost the same.
    'batches_user_id_',
    (sql) => listBatchRows(sql, id, { status: null, before: id, skip: 0, limit: 20 }),
  ],
  [
    "a user's batches of a status",
    'batches_user_id_status_id_idx',
    (sql) => listBatchRows(sql, id, { status: 'failed', before: null, skip: 40, limit: 20 }),
  ],
]

test.each(reads)('reads %s through %s', async (_, index, read) => {
  const plan = await planOf(read)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
