import { randomUUID } from 'node:crypto'
import type { Transactional } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { listOrphanedBlobs } from '../blobs/blobs-sql.ts'
import { deleteExpiredIdempotencyKeys } from '../idempotency/claim-sql.ts'
import { takeHeldJobOf, takeHeldJobs } from '../jobs/shares-sql.ts'
import { listDueJobs } from '../jobs/sweep-sql.ts'
import { readDeliveryDemand, readLaneDemand } from '../operations/demand-sql.ts'
import { listClaimableDeliveries, queueDueDeliveries } from '../webhooks/claim-sql.ts'
import { deleteOldNotes, deleteUnusedSummaries, deleteUnusedTranscripts } from './cache-retention-sql.ts'
import {
  deleteOldBatches,
  deleteOldCosts,
  deleteOldEndpoints,
  deleteOldJobs,
  deleteOldQuotas,
  deleteOldReceivers,
  deleteOldVideos,
  deleteOldWebhookEvents,
} from './retention-sql.ts'

const { db } = useTestDatabase({ maxConnections: 1 })

/** Finished jobs, and rows of everything that comes with them. One in a hundred has expired. */
const FINISHED = 10_000
const LIMIT = 100
/** Each row that a statement deletes may be looked up in some other tables. */
const MAX_ROWS = 30 * LIMIT

// IDs begin with the time of their creation; the old rows come first.
const ID = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid`
const SEED = `
CREATE TABLE seeds AS
SELECT n, ${ID} AS id, at, md5((n % 2000)::text)::uuid AS user_id, substr(md5(n::text), 1, 11) AS video FROM (
  SELECT n, now() - CASE WHEN n <= ${FINISHED / 100} THEN interval '90 days' ELSE interval '1 day' END AS at
  FROM generate_series(1, ${FINISHED}) n
) times;
INSERT INTO users (id, email, plan) SELECT DISTINCT user_id, user_id::text, 'pro'::plan FROM seeds;
INSERT INTO quota_usage (user_id, period, starts_on, used)
  SELECT DISTINCT ON (user_id, at::date) user_id, 'day'::quota_period, at::date, 1 FROM seeds;
INSERT INTO batches (id, user_id, total, pending, succeeded, status, created_at, completed_at)
  SELECT id, user_id, 1, 0, 1, 'completed', at, at FROM seeds WHERE n % 10 = 0;
INSERT INTO jobs (id, user_id, batch_id, status, step, lane, priority, video_id, options, wake_at, quota_day, created_at,
    updated_at, completed_at)
  SELECT id, user_id, CASE WHEN n % 10 = 0 THEN id END, 'completed', 'completed', 'normal', 'normal', video, '{}', at,
    at::date, at, at, at FROM seeds;
INSERT INTO blobs SELECT id::text, CASE WHEN n > 100 THEN id END, '', 1, at, at FROM seeds;
INSERT INTO results SELECT id, id, 1, false, '', '{}', '{}', '{}', 1000, at FROM seeds;
INSERT INTO transcripts (id, video_id, track_key, track, cue_count, text_bytes, fetched_at)
  SELECT id, video, '.en', '{}', 1, 1, at FROM seeds;
INSERT INTO summaries (id, cache_key, transcript_id, mode, content, model, input_tokens, output_tokens, cached_tokens,
    cache_write_tokens, cost_usd, created_at)
  SELECT id, decode(md5(n::text), 'hex'), id, 'tldr', '{}', 'm', 0, 0, 0, 0, 0, at FROM seeds;
INSERT INTO job_summaries (job_id, mode, summary_id, reused, created_at) SELECT id, 'tldr', id, false, at FROM seeds;
INSERT INTO transcript_notes SELECT id, '\\x00', '{}', at FROM seeds;
INSERT INTO quota_entries (job_id, kind, user_id, created_at) SELECT id, 'reserve', user_id, at FROM seeds;
INSERT INTO job_spendings SELECT id, id, 'notes', NULL, 'm', 0, 0, 0, 0, 0, at FROM seeds;
INSERT INTO library_entries (user_id, video_id, job_id, transcript_id, cue_count, title, channel_id, language, completed_at, tsv)
  SELECT user_id, video, id, id, 1, '', '', 'en', at, '' FROM seeds;
INSERT INTO usage_entries (job_id, user_id, outcome, input_tokens, output_tokens, cached_input_tokens, cost_usd, created_at,
    job_deleted_at)
  SELECT id, user_id, 'completed', 0, 0, 0, 0, at, CASE WHEN n % 2 = 0 THEN at END FROM seeds;
INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
  SELECT id, user_id, 'job.completed', id, '', at FROM seeds;
INSERT INTO webhook_deliveries (id, event_id, user_id, url, status, next_attempt_at, receiver_key, endpoint_key,
    created_at, updated_at)
  SELECT id, id, user_id, '', 'delivered', at, user_id, user_id, at, at FROM seeds;
INSERT INTO webhook_attempts (delivery_id, attempt_no, started_at, duration_ms) SELECT id, 1, at, 1 FROM seeds;
INSERT INTO chat_conversations SELECT id, id, user_id, '', at, at FROM seeds;
INSERT INTO chat_exchanges (id, conversation_id, user_id, position, question, status, created_at, completed_at)
  SELECT id, id, user_id, 0, '', 'failed', at, at FROM seeds;
INSERT INTO videos (id, info, tracks, fetched_at) SELECT video, '{}', '{}', at FROM seeds;
INSERT INTO idempotency_keys (user_id, key, request_hash, resource_id, locked_until, created_at)
  SELECT user_id, n::text, '', id, at, CASE WHEN n <= ${FINISHED / 100} THEN at ELSE now() END FROM seeds;
INSERT INTO webhook_receivers SELECT id, true, at FROM seeds;
INSERT INTO webhook_endpoints (key, user_id, url, failing_since, failed_events, updated_at)
  SELECT id, user_id, '', at, 1, at FROM seeds;
DROP TABLE seeds;
`

beforeAll(async () => {
  for (const statement of SEED.split(';\n').filter((text) => text.trim())) await db.query(statement)
  await db.query('VACUUM ANALYZE')
})

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}
const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]
const countVisited = (node: PlanNode): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))

const literal = (value: unknown): string => {
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `'{${value.map((each) => JSON.stringify(String(each))).join()}}'`
  return typeof value === 'string' ? `'${value}'` : String(value)
}

interface Circumstances {
  /** Whether the planner knows the values of the parameters. */
  plan: 'custom' | 'generic'
  /** Whether the planner knows how values are distributed. It does not before the first ANALYZE of a new installation. */
  analyzed: boolean
}
const CIRCUMSTANCES: Circumstances[] = [
  { plan: 'custom', analyzed: true },
  { plan: 'generic', analyzed: true },
  { plan: 'custom', analyzed: false },
]

/** Runs the statements of `work` without lasting effect, and returns what they have read. */
async function measure({ plan, analyzed }: Circumstances, work: (sql: Transactional) => Promise<unknown>) {
  const nodes: PlanNode[] = []
  const sql: Transactional = {
    async query(text, values = []) {
      await db.query('BEGIN')
      await db.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`)
      if (!analyzed) await db.query('DELETE FROM pg_statistic')
      await db.query(`PREPARE measured AS ${text}`)
      await db.query('SAVEPOINT prepared')
      const call = values.length > 0 ? `measured(${values.map(literal).join(', ')})` : 'measured'
      const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE ${call}`,
      )
      for (const row of rows) nodes.push(...listNodes(row['QUERY PLAN'][0].Plan))
      // The statements after it may depend on what it returns.
      await db.query('ROLLBACK TO prepared')
      const result = await db.query<never>(`EXECUTE ${call}`)
      await db.query('ROLLBACK')
      await db.query('DEALLOCATE measured')
      return result
    },
    transaction: (inTransaction) => inTransaction(sql),
  }
  await work(sql)
  return {
    scans: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
    visited: nodes.filter((node) => node['Relation Name']).reduce((sum, node) => sum + countVisited(node), 0),
  }
}

const id = randomUUID()
const OLD = { before: new Date(Date.now() - 30 * 86_400_000), limit: LIMIT }
/** Everything is older than this, and still in use. */
const IN_USE = { before: new Date(), limit: LIMIT, after: null }
const statements: [string, (sql: Transactional) => Promise<unknown>][] = [
  ['listing queued jobs that are due', (sql) => listDueJobs(sql, 'queued', null, LIMIT)],
  ['listing running jobs that are due', (sql) => listDueJobs(sql, 'processing', null, LIMIT)],
  ['waking held jobs', (sql) => takeHeldJobs(sql, 'normal', { share: 5, spare: 5, limit: 50, from: id })],
  ['waking the next held job', (sql) => takeHeldJobOf(sql, id, 'normal')],
  ['queueing deliveries that are due', (sql) => queueDueDeliveries(sql, true)],
  [
    'listing deliveries to claim',
    (sql) => listClaimableDeliveries(sql, { from: id, cap: 5, limit: 20, smallBytes: 1_000 }),
  ],
  ['reading the demand of lanes', readLaneDemand],
  ['reading the demand for deliveries', readDeliveryDemand],
  ['deleting expired idempotency keys', (sql) => deleteExpiredIdempotencyKeys(sql, LIMIT)],
  ['deleting old jobs', (sql) => deleteOldJobs(sql, OLD)],
  ['deleting old batches', (sql) => deleteOldBatches(sql, OLD)],
  ['deleting old events', (sql) => deleteOldWebhookEvents(sql, OLD)],
  ['deleting old videos', (sql) => deleteOldVideos(sql, OLD)],
  ['deleting unused receivers', (sql) => deleteOldReceivers(sql, OLD)],
  ['deleting unused endpoints', (sql) => deleteOldEndpoints(sql, OLD)],
  ['deleting old costs', (sql) => deleteOldCosts(sql, OLD)],
  ['deleting old quotas', (sql) => deleteOldQuotas(sql, OLD)],
  ['deleting unused summaries', (sql) => deleteUnusedSummaries(sql, IN_USE)],
  ['deleting unused transcripts', (sql) => deleteUnusedTranscripts(sql, IN_USE)],
  ['listing files of deleted jobs', (sql) => listOrphanedBlobs(sql, OLD)],
  ['deleting old notes', (sql) => deleteOldNotes(sql, OLD)],
]

describe.each(CIRCUMSTANCES)('with a $plan plan (analyzed: $analyzed)', (circumstances) => {
  test.each(statements)('%s reads a limited number of rows, however much work has finished', async (_, work) => {
    const { scans, visited } = await measure(circumstances, work)
    expect(scans).toEqual([])
    expect(visited).toBeLessThan(MAX_ROWS)
  })
})
