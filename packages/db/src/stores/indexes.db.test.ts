import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@subtext/testing'
import pg from 'pg'
import type { Sql } from '../client.ts'
import { findKeyHolder } from './accounts.ts'
import { medianProcessingMs, takeWakeableJobs } from './jobs.ts'
import { findSummaries } from './summaries.ts'
import { findTranscript } from './transcripts.ts'
import { claimDeliveries } from './webhooks.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // On a table of a few rows the planner would rather read them all.
  await client.query('SET enable_seqscan = off')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Notes the plan of every statement instead of running it. */
async function planOf(read: (sql: Sql) => Promise<unknown>): Promise<string> {
  const plans: string[] = []
  await read({
    async query(text, values) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${text}`, values })
      plans.push(...rows.map((row) => row['QUERY PLAN']))
      return { rows: [], rowCount: 0 }
    },
  })
  return plans.join('\n')
}

const id = randomUUID()
const reads: [string, string, (sql: Sql) => Promise<unknown>][] = [
  ['the sweeper', 'jobs_wake_at_idx', (sql) => takeWakeableJobs(sql, 500, 15)],
  [
    'the deliverer',
    'webhook_deliveries_due_idx',
    (sql) => claimDeliveries(sql, { token: id, limit: 5, leaseSeconds: 30 }),
  ],
  ['the estimate', 'results_completed_at_idx', medianProcessingMs],
  ['a key', 'api_keys_hash_key', (sql) => findKeyHolder(sql, Buffer.alloc(32))],
  ['a transcript', 'transcripts_video_id_track_key_fetched_at_idx', (sql) => findTranscript(sql, 'v', 'k', new Date())],
  ['summaries', 'summaries_cache_key_created_at_idx', (sql) => findSummaries(sql, [Buffer.alloc(32)], new Date())],
  [
    "a user's jobs",
    'jobs_user_id_id_idx',
    (sql) => sql.query('SELECT * FROM jobs WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT 20', [id, id]),
  ],
  [
    "a user's jobs of a status",
    'jobs_user_id_status_id_idx',
    (sql) => sql.query(`SELECT * FROM jobs WHERE user_id = $1 AND status = 'failed' ORDER BY id DESC LIMIT 20`, [id]),
  ],
  [
    "a batch's jobs",
    'jobs_batch_id_idx',
    (sql) => sql.query('SELECT * FROM jobs WHERE batch_id = $1 ORDER BY batch_index', [id]),
  ],
]

test.each(reads)('%s is found by %s', async (_, index, read) => {
  const plan = await planOf(read)
  expect(plan).toContain(index)
  expect(plan).not.toContain('Seq Scan')
})
