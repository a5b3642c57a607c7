import { randomUUID } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { type Db, type NewJob, openDb } from '@subtext/db'
import { newJob, useTestDatabase } from '@subtext/db/testing'
import { createAcceptor } from './accept.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let statements: string[] = []
let woken: string[] = []
let warnings: string[] = []
let wake: (jobs: { id: string }[]) => Promise<void>
beforeEach(() => {
  statements = []
  woken = []
  warnings = []
  wake = async () => {}
})

const NOW = new Date('2026-11-30T23:59:59.000Z')
const ignore = (): void => {}

/** An acceptor whose statements and wake-ups are noted. */
const acceptor = (clock = () => NOW) =>
  createAcceptor({
    db: {
      ...db,
      query: (text, values) => {
        statements.push(text)
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

test('the first job of an account opens its counters; a lone one waits for nobody', async () => {
  const job = jobOf()
  expect(await acceptor()(job)).toEqual(NOW)
  expect(await stored([job.id])).toBe(1)
  expect(woken).toEqual([job.id])
})

test('jobs that arrive together share a few statements, and each gets the answer that is its own', async () => {
  const users = Array.from({ length: 60 }, () => randomUUID())
  const jobs = Array.from({ length: 300 }, (_, index) => jobOf(users[index % users.length]))
  const accept = acceptor()
  const answers = await Promise.allSettled(jobs.map((job) => accept(job)))
  const accepted = jobs.filter((_, index) => answers[index]?.status === 'fulfilled')
  // Two statements run at once, so which jobs of an account come first is open; how many is not.
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

test('callers with and without a quota in one batch', async () => {
  const userId = randomUUID()
  const accept = acceptor()
  const jobs = [...Array.from({ length: 5 }, () => jobOf(userId)), jobOf(userId, null), jobOf()]
  const answers = await Promise.allSettled(jobs.map((job) => accept(job)))
  expect(answers.map(({ status }) => status)).toEqual([
    ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'],
    ...['fulfilled', 'fulfilled'],
  ])
})

test('a lost wake-up does not lose the job', async () => {
  wake = () => Promise.reject(new Error('Redis is away.'))
  const job = jobOf()
  expect(await acceptor()(job)).toEqual(NOW)
  expect(await stored([job.id])).toBe(1)
  await new Promise(setImmediate)
  expect(warnings).toEqual(['wake-up lost'])
})

test('a wake-up that hangs holds nobody up', async () => {
  wake = () => new Promise(ignore)
  expect(await acceptor()(jobOf())).toEqual(NOW)
})

test('a store that is away refuses those who are waiting, and serves again when it is back', async () => {
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

test('after midnight of the last day of a month everything counts anew', async () => {
  let now = NOW
  const accept = acceptor(() => now)
  const userId = randomUUID()
  for (let count = 0; count < 3; count++) await accept(jobOf(userId))
  await expect(accept(jobOf(userId))).rejects.toBeInstanceOf(ServiceError)
  now = new Date('2026-12-01T00:00:00.000Z')
  expect(await accept(jobOf(userId))).toEqual(now)
})
