import { randomUUID } from 'node:crypto'
import { acceptJobs, type Lease, releaseJob } from '@subtext/db'
import { newJob, PERIODS, useTestDatabase } from '@subtext/db/testing'
import { type ClaimJob, createClaimer } from './fair-claim.ts'
import { wakeHeldJobs, wakeNextHeldJob } from './held-jobs.ts'

const { db } = useTestDatabase({ maxConnections: 8, per: 'test' })
let claim: ClaimJob
let woken: string[]
let redisIsAway: boolean

beforeEach(async () => {
  claim = createClaimer({ db }, 3)
  woken = []
  redisIsAway = false
})

const ignore = (): void => {}
const context = () => ({
  db,
  log: { info: ignore, warn: ignore, error: ignore },
  producer: {
    isConnected: () => !redisIsAway,
    wakeJobs: async (jobs: { id: string }[]) => {
      if (redisIsAway) throw new Error('Redis is away.')
      woken.push(...jobs.map(({ id }) => id))
    },
  },
})

let counter = 0
/** Ids in the order of acceptance. */
const nextId = () => `0190b0c4-0000-7000-8000-${String(++counter).padStart(12, '0')}`
async function submit(userId: string, count: number): Promise<string[]> {
  const jobs = Array.from({ length: count }, () => newJob({ id: nextId(), userId }))
  await acceptJobs(db, jobs, { periods: PERIODS, now: new Date(), wakeSeconds: 60 })
  return jobs.map(({ id }) => id)
}

const AMPLE = { slots: 8, free: 1, reserve: 1 }
const LAST = { slots: 8, free: 0, reserve: 1 }
const FULL_SMALL = { slots: 2, free: 0, reserve: 0 }
const claimed = async (jobIds: string[], capacity = LAST) => {
  const claims = await Promise.all(jobIds.map((id) => claim(id, 60, capacity)))
  return claims.flatMap((found) => found ?? [])
}
const stored = (where: object) => db.prisma.job.count({ where })
const letGo = (lease: Lease) => releaseJob(db, lease, { delaySeconds: 60, refund: false })

test('alone an account has all slots but the reserve', async () => {
  const jobs = await submit(randomUUID(), 8)
  expect(await claimed(jobs.slice(0, 7), AMPLE)).toHaveLength(7)
  expect(await claimed(jobs.slice(7))).toEqual([])
  expect(await stored({ held: true })).toBe(1)
})

test('claims that come together leave the reserve, however they are counted', async () => {
  const jobs = await submit(randomUUID(), 8)
  const capacities = jobs.map((_, nth) => ({ ...AMPLE, free: 7 - nth }))
  const claims = await Promise.all(jobs.map((id, nth) => claim(id, 60, capacities[nth])))
  expect(claims.map(Boolean)).toEqual([true, true, true, true, true, true, true, false])
})

test.each([1, 4])('%i workers at once keep to the share when slots are short', async (workers) => {
  const jobs = await submit(randomUUID(), 40)
  const claims = Array.from({ length: workers }, () => createClaimer({ db }, 3))
  const all = await Promise.all(jobs.map((id, nth) => claims[nth % workers]?.(id, 60, LAST)))
  const running = all.filter(Boolean).length
  expect(running).toBeGreaterThanOrEqual(3)
  // Each worker may miss what the others are about to claim.
  expect(running).toBeLessThanOrEqual(3 + workers - 1)
  expect(await stored({ held: true })).toBe(40 - running)
})

test('the last slots go to accounts below their share', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  expect(await claimed(await submit(crowd, 7), AMPLE)).toHaveLength(7)
  expect(await claimed(await submit(lone, 1))).toHaveLength(1)
})

test('behind a long line of one account, another one is next', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  const jobs = await submit(crowd, 100)
  await claimed(jobs.slice(0, 8), AMPLE)
  const [wanted] = await submit(lone, 1)
  const [found] = await claimed(jobs.slice(8, 9))
  expect(found?.job.id).toBe(wanted)
  expect(found?.lease.jobId).toBe(wanted)
  // Its own task comes later and finds nothing.
  expect(await claimed([wanted as string])).toEqual([])
})

test('in a lane of few slots an account alone has all, and the other one is next', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  const jobs = await submit(crowd, 4)
  expect(await claimed(jobs.slice(0, 2), FULL_SMALL)).toHaveLength(2)
  const [wanted] = await submit(lone, 1)
  expect((await claimed(jobs.slice(2, 3), FULL_SMALL)).map(({ job }) => job.id)).toEqual([wanted])
  await wakeNextHeldJob(context(), { userId: crowd, lane: 'normal' })
  expect(woken).toEqual([jobs[2]])
  expect(await claimed(jobs.slice(2, 3), FULL_SMALL)).toHaveLength(1)
})

test('a claim that fails does not stand in the way of the next', async () => {
  const [job] = await submit(randomUUID(), 1)
  await expect(claim('no id', 60, LAST)).rejects.toThrow()
  await expect(claim('no id', 60, AMPLE)).rejects.toThrow()
  expect(await claimed([job as string])).toHaveLength(1)
})

test('what is held comes back one for one, the oldest first', async () => {
  const userId = randomUUID()
  const jobs = await submit(userId, 6)
  const [first] = await claimed(jobs.slice(0, 3))
  await claimed(jobs.slice(3))
  await letGo((first as { lease: Lease }).lease)
  await wakeNextHeldJob(context(), { userId, lane: 'normal' })
  expect(woken).toEqual([jobs[3]])
  expect(await claimed(woken)).toHaveLength(1)
})

test('with Redis away a wake-up is lost without harm', async () => {
  const userId = randomUUID()
  const jobs = await submit(userId, 4)
  await claimed(jobs)
  redisIsAway = true
  await wakeNextHeldJob(context(), { userId, lane: 'normal' })
  expect(await wakeHeldJobs(context(), 'normal', AMPLE, 3)).toBe(0)
  expect(await stored({ held: true })).toBe(0)
  expect(await stored({ status: 'queued' })).toBe(1)
})

test('the sweep wakes what has capacity: idle slots but the reserve, and shares that are not used', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  await claimed(await submit(crowd, 9))
  expect(await stored({ held: true })).toBe(6)
  expect(await wakeHeldJobs(context(), 'normal', LAST, 3)).toBe(0)
  expect(await wakeHeldJobs(context(), 'normal', { slots: 8, free: 3, reserve: 1 }, 3)).toBe(2)
  const others = await submit(lone, 5)
  await claimed(others)
  await db.query('UPDATE jobs SET wake_at = now() WHERE user_id = $1', [lone])
  expect(await wakeHeldJobs(context(), 'normal', { slots: 8, free: -3, reserve: 1 }, 3)).toBe(2)
  expect(woken.slice(2)).toEqual(others.slice(3))
})
