import { randomUUID } from 'node:crypto'
import { JOB_STATUSES, type JobStatus } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import pg from 'pg'
import { countFailure, type JobPageRequest, listJobRows } from './list-sql.ts'

const STATUSES: (JobStatus | null)[] = [null, ...JOB_STATUSES]
/** The rest of every hundred jobs is completed. */
const PER_HUNDRED = { queued: 2, processing: 1, failed: 10 }
const BIG = '01900000-0000-7000-8000-00000000000b'
const SMALL = '01900000-0000-7000-8000-00000000000a'
const BIG_JOBS = 3_000
const SMALL_JOBS = 30

const database = useTestDatabase({ maxConnections: 4 })
const { db } = database

beforeAll(async () => {
  // The small account's jobs are the oldest: a walk through the jobs of all accounts would reach them last.
  await fill(SMALL, SMALL_JOBS, 1_700_000_000)
  await fill(BIG, BIG_JOBS, 1_760_000_000)
  await db.query('VACUUM (ANALYZE) jobs')
})

async function fill(userId: string, jobs: number, firstSecond: number): Promise<void> {
  const { queued, processing, failed } = PER_HUNDRED
  await db.query(
    `INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, wake_at, created_at, updated_at, completed_at)
     SELECT (lpad(to_hex(($3::bigint + n) * 1000), 12, '0') || '70008000000000' || lpad(to_hex(n % 65536), 6, '0'))::uuid, $1,
       status::job_status, 'normal', 'normal', 'dQw4w9WgXcQ', '{}', now(), to_timestamp($3 + n), to_timestamp($3 + n),
       CASE WHEN status IN ('completed', 'failed') THEN to_timestamp($3 + n) END
     FROM generate_series(1, $2::int) n, LATERAL (SELECT CASE WHEN n % 100 < ${queued} THEN 'queued'
       WHEN n % 100 < ${queued + processing} THEN 'processing' WHEN n % 100 < ${queued + processing + failed} THEN 'failed'
       ELSE 'completed' END) AS s(status)`,
    [userId, jobs, firstSecond],
  )
  await db.query(
    `INSERT INTO users (id, email, plan, jobs_accepted, jobs_failed)
     SELECT $1::uuid, $1::text, 'pro', count(*), count(*) FILTER (WHERE status = 'failed') FROM jobs WHERE user_id = $1::uuid`,
    [userId],
  )
}

const NEWEST: JobPageRequest = { status: null, before: null, skip: 0, limit: 20 }

async function ownIds(userId: string, status: JobStatus | null): Promise<string[]> {
  const jobs = await db.prisma.job.findMany({
    where: { userId, ...(status && { status }) },
    orderBy: { id: 'desc' },
    select: { id: true },
  })
  return jobs.map(({ id }) => id)
}

describe.each(STATUSES)('listJobRows with status %s', (status) => {
  test('counts exactly and lists the newest first, by position and by the last ID', async () => {
    const expected = await ownIds(BIG, status)
    expect(expected.length).toBeGreaterThan(20)
    const byCursor: string[] = []
    const byOffset: string[] = []
    const limit = Math.ceil(expected.length / 7)
    for (let page = 0; page < 8; page++) {
      const walked = await listJobRows(db, BIG, { status, before: byCursor.at(-1) ?? null, skip: 0, limit })
      const skipped = await listJobRows(db, BIG, { status, before: null, skip: byOffset.length, limit })
      expect([walked.total, skipped.total]).toEqual([expected.length, expected.length])
      byCursor.push(...walked.jobs.map(({ id }) => id))
      byOffset.push(...skipped.jobs.map(({ id }) => id))
    }
    expect(byCursor).toEqual(expected)
    expect(byOffset).toEqual(expected)
  })

  test('lists no jobs of another account', async () => {
    const { jobs, total } = await listJobRows(db, SMALL, { ...NEWEST, status, limit: 100 })
    const expected = await ownIds(SMALL, status)
    expect(jobs.map(({ id }) => id)).toEqual(expected)
    expect(total).toBe(expected.length)
  })
})

test('returns only the total beyond the last page, and 0 for an account without jobs', async () => {
  expect(await listJobRows(db, SMALL, { ...NEWEST, skip: 1_000 })).toMatchObject({ jobs: [], total: SMALL_JOBS })
  for (const status of STATUSES) {
    expect(await listJobRows(db, randomUUID(), { ...NEWEST, status })).toMatchObject({ jobs: [], total: 0 })
  }
})

test('counts a failure for its own account', async () => {
  const userId = randomUUID()
  await db.prisma.user.create({ data: { id: userId, email: userId, plan: 'pro' } })
  await countFailure(db, userId)
  await countFailure(db, userId)
  expect(await db.prisma.user.findUnique({ where: { id: userId } })).toMatchObject({ jobsAccepted: 0, jobsFailed: 2 })
})

interface PlanNode {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** Prepares the first statement of `read` on a connection of its own, and passes on the command that runs it. */
async function prepare<T>(
  read: (sql: Sql) => Promise<unknown>,
  use: (client: pg.Client, command: string) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  let command: string | undefined
  const noted: Sql = {
    async query(text, values = []) {
      if (command === undefined) {
        const types = values.map((value) =>
          Array.isArray(value) ? 'uuid[]' : typeof value === 'string' ? 'uuid' : 'bigint',
        )
        await client.query(`PREPARE page (${types}) AS ${text}`)
        const literals = values.map((value) => pg.escapeLiteral(Array.isArray(value) ? `{${value}}` : String(value)))
        command = `EXECUTE page (${literals})`
      }
      return { rows: [], rowCount: 0 }
    },
  }
  await read(noted)
  if (command === undefined) throw new Error('No statement was sent.')
  const used = await use(client, command)
  await client.end()
  return used
}

/** Runs the generic plan of a statement, which PostgreSQL switches to on a busy connection, and returns that plan. */
const genericPlanOf = (read: (sql: Sql) => Promise<unknown>): Promise<PlanNode[]> =>
  prepare(read, async (client, command) => {
    await client.query('SET plan_cache_mode = force_generic_plan')
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${command}`)
    return flatten(rows[0]['QUERY PLAN'][0].Plan)
  })

const planOf = (userId: string, place: JobPageRequest): Promise<PlanNode[]> =>
  genericPlanOf((sql) => listJobRows(sql, userId, place))

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
const blocksOf = ([root]: PlanNode[]): number =>
  (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0)
const scansOfJobs = (plan: PlanNode[]): PlanNode[] => plan.filter((node) => node['Relation Name'] === 'jobs')

describe.each(STATUSES)('the plan of listJobRows with status %s', (status) => {
  const index = status === null ? 'jobs_user_id_id_idx' : 'jobs_user_id_status_id_idx'

  test.each([
    ['many jobs', BIG],
    ['few and old jobs', SMALL],
  ])('reads one index and sorts nothing for an account with %s', async (_, userId) => {
    for (const plan of await Promise.all([0, 20].map((skip) => planOf(userId, { ...NEWEST, skip, status })))) {
      for (const node of scansOfJobs(plan)) expect(['Index Scan', 'Index Only Scan']).toContain(node['Node Type'])
      expect(new Set(scansOfJobs(plan).map((node) => node['Index Name']))).toEqual(new Set([index]))
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    }
  })

  test('is made once, and not for each request', async () => {
    const read = (sql: Sql) => listJobRows(sql, BIG, { status, before: null, skip: 0, limit: 20 })
    const plans = await prepare(read, async (client, command) => {
      // PostgreSQL compares the plans of the first five times.
      for (let time = 0; time < 8; time++) await client.query(command)
      return client.query("SELECT generic_plans::int AS generic FROM pg_prepared_statements WHERE name = 'page'")
    })
    expect(plans.rows).toEqual([{ generic: 3 }])
  })

  test('costs the same on the last page as on the first', async () => {
    const ids = await ownIds(BIG, status)
    const first = await planOf(BIG, { ...NEWEST, status })
    const last = await planOf(BIG, { ...NEWEST, status, before: ids.at(-21) ?? '' })
    expect(last[0]?.['Actual Rows']).toBe(20)
    expect(blocksOf(last)).toBeLessThanOrEqual(blocksOf(first) + 5)
    expect(blocksOf(last)).toBeLessThan(60)
  })
})

test.each([null, 'completed', 'failed'] as const)('skips jobs with status %s from the nearer end', async (status) => {
  const ids = await ownIds(BIG, status)
  const readFor = async (skip: number): Promise<number> =>
    Math.max(...scansOfJobs(await planOf(BIG, { ...NEWEST, status, skip })).map((node) => node['Actual Rows']))
  // Unfinished jobs are counted, which is what is left of the work.
  const counted = await ownIds(BIG, 'queued')
  expect(await readFor(ids.length - 20)).toBeLessThanOrEqual(counted.length)
  expect(await readFor(Math.ceil(ids.length / 2) + 10)).toBeLessThanOrEqual(ids.length / 2)
})
