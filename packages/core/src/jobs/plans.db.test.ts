import { randomUUID } from 'node:crypto'
import type { Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { addStoredSummaries } from '../summaries/job-work-sql.ts'
import { addJobSummary } from '../summaries/summaries-sql.ts'
import { claimStoredJob, storeJob } from '../testing/index.ts'
import { claimJobs } from './claim-sql.ts'
import { completeJobs, lockResultBasis } from './complete-sql.ts'
import { endJob, endOwnJob, lockOwnJob } from './end-sql.ts'
import type { Lease } from './job-row.ts'
import { extendLease } from './keep-lease-sql.ts'
import { releaseJob } from './release-sql.ts'
import { reportProgress } from './report-step-sql.ts'
import type { StoredResult } from './result-sql.ts'

// As a plan that is made once, while few jobs are unfinished, and used for a long time.
const { db } = useTestDatabase({ maxConnections: 1, settings: { plan_cache_mode: 'force_generic_plan' } })

beforeAll(async () => {
  const { id } = await storeJob(db)
  await db.query(`UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = $1`, [id])
  await db.query(
    `INSERT INTO jobs (id, user_id, lane, priority, video_id, options, status, completed_at, wake_at, created_at, updated_at)
     SELECT gen_random_uuid(), user_id, lane, priority, video_id, options, status, completed_at, wake_at, created_at, updated_at
     FROM jobs, generate_series(1, 2000)`,
  )
  await claimStoredJob(db)
  await storeJob(db)
  await db.query('ANALYZE jobs')
})

async function planOf(write: (sql: Sql) => Promise<unknown>): Promise<string> {
  let plan = ''
  await write({
    async query(text, values) {
      const { rows } = await db.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values)
      plan += rows.map((row) => row['QUERY PLAN']).join('\n')
      return { rows: [], rowCount: 1 }
    },
  })
  return plan
}

const id = randomUUID()
const lease: Lease = { jobId: id, token: id }
const END = { status: 'completed' as const, error: null, warnings: [], completedAt: new Date() }
const result = { jobId: id, transcriptId: id, videoInfo: {}, citedStarts: {}, usage: {} } as StoredResult
const writes: [string, (sql: Sql) => Promise<unknown>][] = [
  [
    'claims or holds',
    (sql) => claimJobs(sql, [lease], { leaseSeconds: 60, notBefore: new Date(), share: 5, hold: true }),
  ],
  ['extends the lease of', (sql) => extendLease(sql, lease, 60)],
  ['reports a step of', (sql) => reportProgress(sql, lease, { step: 'summarizing', progress: 40 })],
  ['releases', (sql) => releaseJob(sql, lease, { delaySeconds: 0, refund: true })],
  ['adds a summary to', (sql) => addJobSummary(sql, { jobId: id, mode: 'tldr', summaryId: id, reused: false })],
  ['adds stored summaries to', (sql) => addStoredSummaries(sql, id, [{ id, mode: 'tldr' }])],
  ['locks', (sql) => lockResultBasis(sql, lease)],
  ['completes', (sql) => completeJobs(sql, [{ lease, result, warnings: [], event: null }])],
  ['ends', (sql) => endJob(sql, lease, END)],
  ['locks, for its owner,', (sql) => lockOwnJob(sql, id, id)],
  ['ends, for its owner,', (sql) => endOwnJob(sql, id, id, END)],
]

test.each(writes)('%s a job by its ID, not by an index of unfinished jobs', async (_, write) => {
  const plan = await planOf(write)
  // Others, such as those counted for a share, have an alias. From the second on, those without one have a number.
  const found = [...plan.matchAll(/(\w+ Scan(?: using \w+)?) on jobs(?: jobs_\d+)? {2}/g)].map(([, how]) => how)
  expect(found.length).toBeGreaterThan(0)
  const byId = ['Index Scan using jobs_pkey', 'Index Scan using jobs_user_id_id_idx']
  expect(found.filter((how) => !byId.includes(how ?? ''))).toEqual([])
})
