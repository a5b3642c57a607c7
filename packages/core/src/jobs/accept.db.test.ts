import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { type Db, openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { newJob } from '../testing/index.ts'
import { createAcceptor } from './accept.ts'
import type { NewJob } from './job-row.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let statements: string[] = []
let woken: string[] = []
let warnings: string[] = []
let wake: (jobs: { id: string }[]) => Promise<void>
let beforeStatement: () => Promise<void>
beforeEach(() => {
  statements = []
  woken = []
  warnings = []
  wake = async () => {}
  beforeStatement = async () => {}
})

const NOW = new Date('2026-11-30T23:59:59.000Z')
const ignore = (): void => {}

/** Creates an acceptor whose statements and wake-ups are recorded. */
const acceptor = (clock = () => NOW) =>
  createAcceptor({
    db: {
      ...db,
      query: async (text, values) => {
        statements.push(text)
        await beforeStatement()
        return db.query(text, values)
      },
    },
    producer: {
      wakeJobs: (jobs) => {
        woken.push(...jobs.map(({ id }) => id))
        return wake(jobs)
      },
    },
    clock,
    log: { info: ignore, error: ignore, warn: (message) => warnings.push(message) },
  })

const jobOf = (userId = randomUUID(), quota: NewJob['quota'] = { daily: 3, monthly: 3 }): NewJob =>
  newJob({ userId, quota })
const stored = async (ids: string[]): Promise<number> => db.prisma.job.count({ where: { id: { in: ids } } })

test('accepts the first job of an account, which opens its quota counters, without delay', async () => {
  const job = jobOf()
  expect(await acceptor()(job)).toEqual(NOW)
  expect(await stored([job.id])).toBe(1)
  expect(woken).toEqual([job.id])
})

test('accepts jobs that arrive together in a few statements, and answers each one correctly', async () => {
  const users = Array.from({ length: 60 }, () => randomUUID())
  const jobs = Array.from({ length: 300 }, (_, index) => jobOf(users[index % users.length]))
  const accept = acceptor()
  const answers = await Promise.allSettled(jobs.map((job) => accept(job)))
  const accepted = jobs.filter((_, index) => answers[index]?.status === 'fulfilled')
  // Two statements run at once, so it is undefined which jobs of an account come first, but not how many are accepted.
  for (const userId of users) expect(accepted.filter((job) => job.userId === userId)).toHaveLength(3)
  expect(await stored(jobs.map(({ id }) => id))).toBe(180)
  expect(woken.sort()).toEqual(accepted.map(({ id }) => id).sort())
  expect(statements.length).toBeLessThanOrEqual(8)
  const refusals = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  for (const refusal of refusals) {
    expect(refusal).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { limit: 3, used: 3, reset_at: '2026-12-01T00:00:00.000Z' },
    })
  }
})

test('lets jobs that arrive while two statements run share the next one, and delays no job otherwise', async () => {
  let proceed = ignore
  const running = new Promise<void>((resolve) => {
    proceed = resolve
  })
  beforeStatement = () => running
  const accept = acceptor()
  const all = []
  for (let turn = 1; turn <= 5; turn++) {
    all.push(accept(jobOf(randomUUID(), null)))
    await nextTurn()
    expect(statements).toHaveLength(Math.min(turn, 2))
  }
  proceed()
  expect(await Promise.all(all)).toEqual(Array(5).fill(NOW))
  expect(statements).toHaveLength(3)
})

test('refuses only the job that PostgreSQL refuses, and accepts those of others that share its statement', async () => {
  const accept = acceptor()
  const bad = { ...jobOf(), clientReference: '\ud800' }
  const good = [jobOf(), jobOf(randomUUID(), null)]
  const answers = await Promise.allSettled([good[0], bad, good[1]].map((job) => job && accept(job)))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await stored([bad.id, ...good.map(({ id }) => id)])).toBe(2)
  expect(woken.sort()).toEqual(good.map(({ id }) => id).sort())
})

test('accepts a job that used the last of its quota before the batch was refused because of another one', async () => {
  const accept = acceptor()
  const [user, newcomer] = [randomUUID(), randomUUID()]
  const quota = { daily: 2, monthly: 2 }
  await accept(jobOf(user, quota))
  let refusals = 0
  beforeStatement = async () => {
    if (statements.at(-1)?.startsWith('INSERT INTO quota_usage') && refusals++ === 0)
      throw new Error('deadlock detected')
  }
  const last = jobOf(user, quota)
  expect(await Promise.all([accept(last), accept(jobOf(newcomer))])).toEqual([NOW, NOW])
  expect(refusals).toBeGreaterThan(0)
  expect(woken.filter((id) => id === last.id)).toHaveLength(1)
  await expect(accept(jobOf(user, quota))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
})

test('accepts jobs with and without a quota in one statement', async () => {
  const userId = randomUUID()
  const accept = acceptor()
  const jobs = [...Array.from({ length: 5 }, () => jobOf(userId)), jobOf(userId, null), jobOf()]
  const answers = await Promise.allSettled(jobs.map((job) => accept(job)))
  expect(answers.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})

test('keeps a job whose wake-up is lost', async () => {
  wake = () => Promise.reject(new Error('Redis is away.'))
  const job = jobOf()
  expect(await acceptor()(job)).toEqual(NOW)
  expect(await stored([job.id])).toBe(1)
  await new Promise(setImmediate)
  expect(warnings).toEqual(['wake-up lost'])
})

test('does not wait for a wake-up that hangs', async () => {
  wake = () => new Promise(ignore)
  expect(await acceptor()(jobOf())).toEqual(NOW)
})

test('fails all waiting callers while the database is unavailable, and recovers afterwards', async () => {
  const broken = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  let current: Db = broken
  const accept = createAcceptor({
    db: { ...db, query: (text, values) => current.query(text, values) },
    producer: { wakeJobs: async () => {} },
    clock: () => NOW,
    log: { info: ignore, error: ignore, warn: ignore },
  })
  const refused = await Promise.allSettled(Array.from({ length: 500 }, () => accept(jobOf())))
  expect(refused.filter(({ status }) => status === 'rejected')).toHaveLength(500)
  current = db
  const job = jobOf()
  expect(await accept(job)).toEqual(NOW)
  await broken.close()
})

test('starts counting from zero after midnight on the last day of a month', async () => {
  let now = NOW
  const accept = acceptor(() => now)
  const userId = randomUUID()
  for (let count = 0; count < 3; count++) await accept(jobOf(userId))
  await expect(accept(jobOf(userId))).rejects.toBeInstanceOf(ServiceError)
  now = new Date('2026-12-01T00:00:00.000Z')
  expect(await accept(jobOf(userId))).toEqual(now)
})
