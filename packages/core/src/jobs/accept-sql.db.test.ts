import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { openQuotaPeriods } from '../plans/quota-sql.ts'
import { NOW, newJob, PERIODS } from '../testing/index.ts'
import { acceptJobs, findCreationTimes } from './accept-sql.ts'
import type { NewJob } from './job-row.ts'

const { db } = useTestDatabase()

const accept = (jobs: NewJob[], periods = PERIODS) => acceptJobs(db, jobs, { periods, now: NOW, wakeSeconds: 3 })
const jobsOf = (userId: string, count: number, quota: NewJob['quota']): NewJob[] =>
  Array.from({ length: count }, () => newJob({ userId, quota }))

async function newUser(): Promise<string> {
  const userId = randomUUID()
  await openQuotaPeriods(db, [userId], PERIODS)
  return userId
}

async function state(userId: string) {
  const { rows } = await db.query<{ day: number; month: number; jobs: number; reserved: number }>(
    `SELECT (SELECT used FROM quota_usage WHERE user_id = $1 AND period = 'day' AND starts_on = $2) AS day,
       (SELECT used FROM quota_usage WHERE user_id = $1 AND period = 'month' AND starts_on = $3) AS month,
       (SELECT count(*)::int FROM jobs WHERE user_id = $1) AS jobs,
       (SELECT count(*)::int FROM quota_entries WHERE user_id = $1 AND kind = 'reserve') AS reserved`,
    [userId, PERIODS.day, PERIODS.month],
  )
  return rows[0]
}

test('stores a job as given, queued, and due for the sweep after a while', async () => {
  const job = newJob({
    userId: await newUser(),
    apiKeyId: randomUUID(),
    lane: 'normal',
    priority: 'high',
    customInstructions: `quotes ' " \\ and \u{1F600}`,
    useProxy: false,
    forceRefresh: true,
    webhookUrl: 'https://example.org/hook',
    serviceName: 'svc',
    agentName: 'agent',
    clientReference: 'ref',
    quota: { daily: 3, monthly: 3 },
  })
  expect(await accept([job])).toMatchObject([{ accepted: true, usedDay: 1, usedMonth: 1 }])
  const { quota, ...given } = job
  const stored = await db.prisma.job.findUniqueOrThrow({ where: { id: job.id } })
  const { rows } = await db.query<{ due: boolean }>(
    "SELECT wake_at BETWEEN now() - interval '20 s' AND now() + interval '3 s' AS due FROM jobs WHERE id = $1",
    [job.id],
  )
  expect(rows).toEqual([{ due: true }])
  expect(stored).toMatchObject({
    ...given,
    status: 'queued',
    step: 'queued',
    progress: 0,
    attempts: 0,
    createdAt: NOW,
    updatedAt: NOW,
    startedAt: null,
    completedAt: null,
    quotaDay: new Date('2026-11-21'),
    quotaMonth: new Date('2026-11-01'),
  })
})

test('returns outcomes in the order of the jobs, first come first served within each account', async () => {
  const [one, other] = [await newUser(), await newUser()]
  const quota = { daily: 2, monthly: 10 }
  const jobs = [one, other, one, one, other].map((userId) => newJob({ userId, quota }))
  const outcomes = await accept(jobs)
  expect(outcomes.map((outcome) => outcome.accepted)).toEqual([true, true, true, false, true])
  expect(outcomes[3]).toMatchObject({ accepted: false, usedDay: 2, usedMonth: 2 })
  expect(await state(one)).toEqual({ day: 2, month: 2, jobs: 2, reserved: 2 })
  expect(await state(other)).toEqual({ day: 2, month: 2, jobs: 2, reserved: 2 })
})

test('accepts jobs without a quota alongside others, and counts them nowhere', async () => {
  const userId = await newUser()
  const quota = { daily: 1, monthly: 1 }
  const [metered, refused] = [newJob({ userId, quota }), newJob({ userId, quota })]
  const free = newJob({ userId })
  expect(await accept([free, metered, refused])).toMatchObject([
    { accepted: true, usedDay: null, usedMonth: null },
    { accepted: true, usedDay: 1, usedMonth: 1 },
    { accepted: false, usedDay: 1, usedMonth: 1 },
  ])
  expect(await state(userId)).toEqual({ day: 1, month: 1, jobs: 2, reserved: 1 })
  expect(await db.prisma.job.findUnique({ where: { id: free.id } })).toMatchObject({ quotaDay: null, quotaMonth: null })
})

test.each([
  ['day', { daily: 2, monthly: 9 }],
  ['month', { daily: 9, monthly: 2 }],
])('applies the limit of the %s independently', async (_, quota) => {
  const userId = await newUser()
  expect((await accept(jobsOf(userId, 3, quota))).map(({ accepted }) => accepted)).toEqual([true, true, false])
  expect((await accept(jobsOf(userId, 1, quota)))[0]).toMatchObject({ accepted: false, usedDay: 2, usedMonth: 2 })
  expect((await accept(jobsOf(userId, 1, { daily: 3, monthly: 3 })))[0]).toMatchObject({
    accepted: true,
    usedDay: 3,
    usedMonth: 3,
  })
})

test('starts the count again each day, but continues that of the month', async () => {
  const userId = await newUser()
  const quota = { daily: 2, monthly: 3 }
  await accept(jobsOf(userId, 2, quota))
  const tomorrow = { ...PERIODS, day: '2026-11-22' }
  await openQuotaPeriods(db, [userId], tomorrow)
  expect(await accept(jobsOf(userId, 2, quota), tomorrow)).toMatchObject([
    { accepted: true, usedDay: 1, usedMonth: 3 },
    { accepted: false, usedDay: 1, usedMonth: 3 },
  ])
})

test('refuses a job without counters and writes nothing; creating the counters twice changes nothing', async () => {
  const userId = randomUUID()
  const job = newJob({ userId, quota: { daily: 3, monthly: 3 } })
  expect(await accept([job])).toMatchObject([{ accepted: false, usedDay: null, usedMonth: null }])
  await openQuotaPeriods(db, [userId], { day: PERIODS.day, month: '2026-10-01' })
  expect((await accept([job]))[0]).toMatchObject({ accepted: false, usedMonth: null })
  expect(await state(userId)).toMatchObject({ jobs: 0, reserved: 0 })
  await openQuotaPeriods(db, [userId], PERIODS)
  expect((await accept([job]))[0]?.accepted).toBe(true)
  await openQuotaPeriods(db, [userId], PERIODS)
  expect(await state(userId)).toEqual({ day: 1, month: 1, jobs: 1, reserved: 1 })
})

test('does not write or count an existing job again, unlike the others of its call', async () => {
  const userId = await newUser()
  const quota = { daily: 9, monthly: 9 }
  const [first, second, twice] = [newJob({ userId, quota }), newJob({ userId, quota }), newJob({ userId, quota })]
  await accept([first])
  const changed = { ...first, videoId: 'aaaaaaaaaaa' }
  expect(await accept([second, changed, twice, twice])).toMatchObject([
    { accepted: true, existed: false },
    { accepted: true, existed: true },
    { accepted: true, existed: false },
    { accepted: true, existed: false },
  ])
  expect(await state(userId)).toEqual({ day: 3, month: 3, jobs: 3, reserved: 3 })
  expect(await db.prisma.job.findUnique({ where: { id: first.id } })).toMatchObject({ videoId: first.videoId })
  expect(await findCreationTimes(db, [first.id, randomUUID()])).toEqual(new Map([[first.id, NOW]]))
})

test('stores the same job from ten concurrent calls once', async () => {
  const userId = await newUser()
  const job = newJob({ userId, quota: { daily: 20, monthly: 20 } })
  const outcomes = (await Promise.all(Array.from({ length: 10 }, () => accept([job])))).flat()
  expect(outcomes.filter(({ accepted, existed }) => accepted && !existed)).toHaveLength(1)
  expect(await state(userId)).toEqual({ day: 1, month: 1, jobs: 1, reserved: 1 })
})

test('survives 50 concurrent calls for the same accounts in different orders without deadlock, with exact counts', async () => {
  const quota = { daily: 30, monthly: 40 }
  const users = await Promise.all(Array.from({ length: 8 }, newUser))
  const calls = Array.from({ length: 50 }, (_, call) => {
    const turned = [...users.slice(call % 8), ...users.slice(0, call % 8)]
    return (call % 2 === 0 ? turned : turned.reverse()).map((userId) => newJob({ userId, quota }))
  })
  const outcomes = (await Promise.all(calls.map((jobs) => accept(jobs)))).flat()
  expect(outcomes.filter(({ accepted }) => accepted)).toHaveLength(8 * 30)
  for (const userId of users) expect(await state(userId)).toEqual({ day: 30, month: 30, jobs: 30, reserved: 30 })
})

test('creates counters for many accounts concurrently without deadlock', async () => {
  const users = Array.from({ length: 20 }, () => randomUUID())
  const orders = Array.from({ length: 20 }, (_, turn) => [...users.slice(turn), ...users.slice(0, turn)])
  await Promise.all(orders.map((order) => openQuotaPeriods(db, order, PERIODS)))
  for (const userId of users) expect(await state(userId)).toMatchObject({ day: 0, month: 0 })
})
