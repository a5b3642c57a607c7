import { randomUUID } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import type { Db } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { newJob } from '../testing/index.ts'
import { createAcceptor } from './accept.ts'
import { claimJobById } from './claim.ts'
import { failJob } from './end.ts'
import type { NewJob } from './job-row.ts'

const { db, pools } = useTestDatabase({ pools: 2, maxConnections: 8 })

const ignore = (): void => {}
const contextOf = (pool: Db) => ({
  db: pool,
  clock: () => new Date(),
  log: { info: ignore, warn: ignore, error: ignore },
  notifier: { subscribe: () => ignore, publish: async () => {} },
  producer: { wakeJobs: async () => {}, isConnected: () => true },
})

const USERS = 6
/** Two of the accounts are admins, who have no quota. */
const quotaOf = (user: number): NewJob['quota'] => (user < 2 ? null : { daily: 40, monthly: 40 })
const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.code === 'QUOTA_EXCEEDED'

test('200 concurrent calls in two processes that accept and fail jobs of six accounts keep exact counters, without deadlocks', async () => {
  const contextFor = (turn: number) => contextOf(pools[turn % pools.length] ?? db)
  const users = Array.from({ length: USERS }, () => randomUUID())
  const accounts = users.map((userId, user) => ({ userId, quota: quotaOf(user) }))
  await db.prisma.user.createMany({ data: users.map((id) => ({ id, email: id, plan: 'pro' as const })) })
  const jobsOfAll = (turn: number): NewJob[] => {
    const order = [...accounts.slice(turn % USERS), ...accounts.slice(0, turn % USERS)]
    return (turn % 2 === 0 ? order : order.reverse()).map(newJob)
  }
  /** Accepts one job of each account in one statement, and returns the accepted ones. */
  const acceptAll = async (turn: number): Promise<NewJob[]> => {
    const accept = createAcceptor(contextFor(turn))
    const jobs = jobsOfAll(turn)
    const answers = await Promise.allSettled(jobs.map((job) => accept(job)))
    const broken = answers.find((answer) => answer.status === 'rejected' && !isRefusal(answer.reason))
    if (broken?.status === 'rejected') throw broken.reason
    return jobs.filter((_, index) => answers[index]?.status === 'fulfilled')
  }
  const fail = async (job: NewJob, turn: number): Promise<void> => {
    const claimed = await claimJobById(contextFor(turn), job.id, { leaseSeconds: 60 })
    if (!claimed) throw new Error('The job could not be claimed.')
    const failure = { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: new Date() }
    await failJob(contextFor(turn), claimed.lease, failure)
  }

  const first: NewJob[] = []
  for (let turn = 0; turn < 23; turn++) first.push(...(await acceptAll(turn)))
  expect(first).toHaveLength(23 * USERS)
  const failures = first.map((job, turn) => async () => {
    await fail(job, turn)
    return 0
  })
  const accepts = Array.from({ length: 62 }, (_, turn) => async () => (await acceptAll(turn)).length)
  const calls = [...failures, ...accepts].map((call, turn) => ({ call, rank: (turn * 61) % 200 }))
  calls.sort((one, other) => one.rank - other.rank)
  const accepted = (await Promise.all(calls.map(({ call }) => call()))).reduce((sum, count) => sum + count, 0)

  const { rows } = await db.query<Record<string, number>>(
    `SELECT u.jobs_accepted AS accepted, u.jobs_failed AS failed, count(j.id)::int AS jobs,
       (count(j.id) FILTER (WHERE j.status = 'failed'))::int AS "failedJobs",
       (count(j.id) FILTER (WHERE j.status <> 'failed' AND j.quota_day IS NOT NULL))::int AS held,
       coalesce((SELECT used FROM quota_usage q WHERE q.user_id = u.id AND q.period = 'day'), 0) AS used
     FROM users u LEFT JOIN jobs j ON j.user_id = u.id GROUP BY u.id`,
  )
  expect(rows).toHaveLength(USERS)
  for (const row of rows) {
    expect(row).toMatchObject({ accepted: row.jobs, failed: row.failedJobs, used: row.held })
    expect(row.failed).toBe(23)
  }
  expect(rows.reduce((sum, row) => sum + (row.accepted ?? 0), 0)).toBe(first.length + accepted)
})

test.each(['accept', 'fail'] as const)('locks the account before its quota to %s a job', async (action) => {
  const [, other = db] = pools
  const userId = randomUUID()
  await db.prisma.user.create({ data: { id: userId, email: userId, plan: 'pro' } })
  const accept = createAcceptor(contextOf(other))
  const job = newJob({ userId, quota: quotaOf(2) })
  await accept(job)
  const claimed = await claimJobById(contextOf(other), job.id, { leaseSeconds: 60 })
  if (!claimed) throw new Error('The job could not be claimed.')
  const failure = { error: new ServiceError('VIDEO_UNAVAILABLE'), completedAt: new Date() }

  let acting: Promise<unknown> | undefined
  await db.transaction(async (sql) => {
    await sql.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId])
    acting =
      action === 'fail'
        ? failJob(contextOf(other), claimed.lease, failure)
        : accept(newJob({ userId, quota: quotaOf(2) }))
    await waitUntil('the other transaction waits for this one', async () => {
      const { rows } = await sql.query(
        'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))',
      )
      return rows.length > 0
    })
    const free = await sql.query('SELECT FROM quota_usage WHERE user_id = $1 FOR UPDATE SKIP LOCKED', [userId])
    expect(free.rowCount).toBe(2)
  })
  await acting
})
