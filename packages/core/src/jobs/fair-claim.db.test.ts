import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import type { WakeOptions } from '@subtext/queue'
import { newJob, PERIODS } from '../testing/index.ts'
import { acceptJobs } from './accept-sql.ts'
import { type ClaimJob, createClaimer } from './fair-claim.ts'
import { wakeHeldJobs, wakeNextHeldJob } from './held-jobs.ts'
import type { Lease } from './job-row.ts'
import { releaseJob } from './release-sql.ts'

const { db } = useTestDatabase({ maxConnections: 8, per: 'test' })
let claim: ClaimJob
let woken: string[]
let isRedisDown: boolean
let leads: boolean

beforeEach(async () => {
  claim = createClaimer({ db }, 3, () => ({ leaseSeconds: 60 }))
  woken = []
  isRedisDown = false
  leads = true
})

const ignore = (): void => {}
const context = () => ({
  db,
  log: { info: ignore, warn: ignore, error: ignore },
  producer: {
    isConnected: () => !isRedisDown,
    findMissing: async <J>(jobs: J[]) => jobs,
    keepRole: async () => leads,
    dropRole: async () => {},
    wakeJobs: async (jobs: { id: string }[], options?: WakeOptions) => {
      // Without it, Redis ignores the wake-up of a job whose task has not ended since the job was held.
      expect(options).toEqual({ again: true })
      if (isRedisDown) throw new Error('Redis is unavailable.')
      woken.push(...jobs.map(({ id }) => id))
    },
  },
})

let counter = 0
/** Returns IDs in the order of acceptance. */
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
  const claims = await Promise.all(jobIds.map((id) => claim(id, capacity)))
  return claims.flatMap((found) => found ?? [])
}
const stored = (where: object) => db.prisma.job.count({ where })
const release = (lease: Lease) => releaseJob(db, lease, { delaySeconds: 60, refund: false })

test('an account without competition gets all slots but the reserve', async () => {
  const jobs = await submit(randomUUID(), 8)
  expect(await claimed(jobs.slice(0, 7), AMPLE)).toHaveLength(7)
  expect(await claimed(jobs.slice(7))).toEqual([])
  expect(await stored({ held: true })).toBe(1)
})

test('concurrent claims never use the reserve', async () => {
  const jobs = await submit(randomUUID(), 8)
  const capacities = jobs.map((_, nth) => ({ ...AMPLE, free: 7 - nth }))
  const claims = await Promise.all(jobs.map((id, nth) => claim(id, capacities[nth])))
  expect(claims.map(Boolean)).toEqual([true, true, true, true, true, true, true, false])
})

test.each([1, 4])('%i concurrent workers respect the share of an account when slots are scarce', async (workers) => {
  const jobs = await submit(randomUUID(), 40)
  const claims = Array.from({ length: workers }, () => createClaimer({ db }, 3, () => ({ leaseSeconds: 60 })))
  const all = await Promise.all(jobs.map((id, nth) => claims[nth % workers]?.(id, LAST)))
  const running = all.filter(Boolean).length
  expect(running).toBeGreaterThanOrEqual(3)
  // A worker may miss jobs that others are about to claim.
  expect(running).toBeLessThanOrEqual(3 + workers - 1)
  expect(await stored({ held: true })).toBe(40 - running)
})

test('the last slots go to accounts below their share', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  expect(await claimed(await submit(crowd, 7), AMPLE)).toHaveLength(7)
  expect(await claimed(await submit(lone, 1))).toHaveLength(1)
})

test('another account is next, ahead of the long queue of the first one', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  const jobs = await submit(crowd, 100)
  await claimed(jobs.slice(0, 8), AMPLE)
  const [wanted = ''] = await submit(lone, 1)
  const [found] = await claimed(jobs.slice(8, 9))
  expect(found?.job.id).toBe(wanted)
  expect(found?.lease.jobId).toBe(wanted)
  // The task of that job arrives later and finds nothing to do.
  expect(await claimed([wanted])).toEqual([])
})

test('a lane with few slots is open to one account alone, until another one is next', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  const jobs = await submit(crowd, 4)
  expect(await claimed(jobs.slice(0, 2), FULL_SMALL)).toHaveLength(2)
  const [wanted = ''] = await submit(lone, 1)
  expect((await claimed(jobs.slice(2, 3), FULL_SMALL)).map(({ job }) => job.id)).toEqual([wanted])
  await wakeNextHeldJob(context(), { userId: crowd, lane: 'normal' })
  expect(woken).toEqual([jobs[2]])
  expect(await claimed(jobs.slice(2, 3), FULL_SMALL)).toHaveLength(1)
})

test('a failed claim does not block the next one', async () => {
  const [job = ''] = await submit(randomUUID(), 1)
  await expect(claim('no id', LAST)).rejects.toThrow()
  await expect(claim('no id', AMPLE)).rejects.toThrow()
  expect(await claimed([job])).toHaveLength(1)
})

test('each job that ends releases one held job of its account, the oldest first', async () => {
  const userId = randomUUID()
  const jobs = await submit(userId, 6)
  const [first] = await claimed(jobs.slice(0, 3))
  await claimed(jobs.slice(3))
  if (!first) throw new Error('The first job could not be claimed.')
  await release(first.lease)
  await wakeNextHeldJob(context(), { userId, lane: 'normal' })
  expect(woken).toEqual([jobs[3]])
  expect(await claimed(woken)).toHaveLength(1)
})

test('a wake-up that is lost while Redis is unavailable does no harm', async () => {
  const userId = randomUUID()
  const jobs = await submit(userId, 4)
  await claimed(jobs)
  isRedisDown = true
  await wakeNextHeldJob(context(), { userId, lane: 'normal' })
  expect(await wakeHeldJobs(context(), 'normal', AMPLE, 3)).toBe(0)
  expect(await stored({ held: true })).toBe(0)
  expect(await stored({ status: 'queued' })).toBe(1)
})

test('the sweep wakes held jobs for the idle slots beyond the reserve, and for unused shares', async () => {
  const [crowd, lone] = [randomUUID(), randomUUID()]
  await claimed(await submit(crowd, 9))
  expect(await stored({ held: true })).toBe(6)
  expect(await wakeHeldJobs(context(), 'normal', LAST, 3)).toBe(0)
  expect(await wakeHeldJobs(context(), 'normal', { slots: 8, free: 3, reserve: 1 }, 3)).toBe(2)
  const others = await submit(lone, 5)
  await claimed(others)
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 s' WHERE user_id = $1", [lone])
  expect(await wakeHeldJobs(context(), 'normal', { slots: 8, free: -3, reserve: 1 }, 3)).toBe(2)
  expect(woken.slice(2)).toEqual(others.slice(3))
})

test('of the workers without slots to spare, only the one that has the role wakes held jobs', async () => {
  const lone = randomUUID()
  await claimed(await submit(randomUUID(), 9))
  await claimed(await submit(lone, 5))
  await db.query("UPDATE jobs SET wake_at = now() - interval '1 s' WHERE user_id = $1 AND NOT held", [lone])
  leads = false
  expect(await wakeHeldJobs(context(), 'normal', LAST, 3)).toBe(0)
  leads = true
  expect(await wakeHeldJobs(context(), 'normal', LAST, 3)).toBeGreaterThan(0)
  leads = false
  expect(await wakeHeldJobs(context(), 'normal', { slots: 8, free: 3, reserve: 1 }, 3)).toBeGreaterThan(0)
})
