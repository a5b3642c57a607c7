import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimStoredJob, storeJob } from '../testing/jobs.ts'
import { claimJobWithinShare, findNextInLine, holdJob, takeHeldJobOf, takeHeldJobs } from './job-shares.ts'
import { claimJob, endOwnJob, releaseJob, takeWakeableJobs } from './jobs.ts'

const { db } = useTestDatabase({ maxConnections: 4, per: 'test' })

const lease = (jobId: string) => ({ jobId, token: randomUUID() })
const storeJobs = async (userId: string, count: number) => {
  const ids: string[] = []
  for (let nth = 0; nth < count; nth++) ids.push((await storeJob(db, { userId })).id)
  return ids.sort()
}
const claimFor = async (userId: string, count: number) => {
  for (let nth = 0; nth < count; nth++) await claimStoredJob(db, { userId })
}
const row = (id: string) => db.prisma.job.findUniqueOrThrow({ where: { id } })
const ALL = { share: 1, spare: 0, limit: 50 }

describe('claimJobWithinShare', () => {
  test('refuses once the account has its share of the lane, until one of its jobs is let go of', async () => {
    const userId = randomUUID()
    const first = await claimStoredJob(db, { userId })
    await claimStoredJob(db, { userId })
    const [third] = await storeJobs(userId, 1)
    expect(await claimJobWithinShare(db, lease(third as string), 60, 2)).toBeNull()
    expect(await claimJobWithinShare(db, lease((await storeJob(db)).id), 60, 2)).not.toBeNull()
    expect(
      await claimJobWithinShare(db, lease((await storeJob(db, { userId, lane: 'high' })).id), 60, 2),
    ).not.toBeNull()
    await releaseJob(db, first.lease, { delaySeconds: 60, refund: false })
    expect(await claimJobWithinShare(db, lease(third as string), 60, 2)).toMatchObject({ id: third, attempts: 1 })
  })

  test('the lease of a worker that died counts no longer', async () => {
    const userId = randomUUID()
    const { job } = await claimStoredJob(db, { userId })
    await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
    const [next] = await storeJobs(userId, 1)
    expect(await claimJobWithinShare(db, lease(next as string), 60, 1)).not.toBeNull()
    expect(await claimJobWithinShare(db, lease(job.id), 60, 1)).toBeNull()
    expect(await claimJobWithinShare(db, lease(job.id), 60, 2)).toMatchObject({ attempts: 2 })
  })
})

describe('holdJob', () => {
  test('holds what waits, once; claimed, it is held no more', async () => {
    const job = await storeJob(db)
    expect(await holdJob(db, job.id)).toEqual({ userId: job.userId, lane: 'normal' })
    expect(await holdJob(db, job.id)).toBeNull()
    expect(await takeWakeableJobs(db, 10, 15)).toEqual([])
    expect(await claimJob(db, lease(job.id), 60)).not.toBeNull()
    expect(await row(job.id)).toMatchObject({ held: false, status: 'processing' })
    expect(await holdJob(db, job.id)).toBeNull()
  })

  test('a job that waited for another try is held and woken as one that never began, and keeps its attempts', async () => {
    const { job, lease: first } = await claimStoredJob(db)
    await releaseJob(db, first, { delaySeconds: 60, refund: false })
    expect(await holdJob(db, job.id)).toBeNull()
    await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
    expect(await holdJob(db, job.id)).not.toBeNull()
    expect(await takeHeldJobOf(db, job.userId, 'normal')).toEqual({ id: job.id, lane: 'normal' })
    expect(await claimJob(db, lease(job.id), 60)).toMatchObject({ attempts: 2 })
  })

  test('a held job can be ended by its owner', async () => {
    const job = await storeJob(db)
    await holdJob(db, job.id)
    const end = { status: 'failed' as const, error: null, warnings: [], completedAt: new Date() }
    expect(await endOwnJob(db, job.userId, job.id, end)).not.toBeNull()
    expect(await takeHeldJobs(db, 'normal', ALL)).toEqual([])
  })
})

describe('findNextInLine', () => {
  test.each([5, 200])('finds the one account that may, behind %i jobs and on either side', async (jobs) => {
    const [low, high] = [randomUUID(), randomUUID()].sort() as [string, string]
    for (const [crowd, lone] of [
      [low, high],
      [high, low],
    ] as const) {
      await db.query('DELETE FROM jobs')
      await storeJobs(crowd, jobs)
      const [wanted] = await storeJobs(lone, 1)
      expect(await findNextInLine(db, 'normal', crowd, 1)).toBe(wanted)
      expect(await findNextInLine(db, 'high', crowd, 1)).toBeNull()
    }
  })

  test('passes over accounts that have their share, and prefers who has the fewest and waits longest', async () => {
    const [asking, full, some, none] = Array.from({ length: 4 }, () => randomUUID()) as [string, string, string, string]
    for (const [userId, running] of [
      [full, 2],
      [some, 1],
    ] as const) {
      await storeJobs(userId, 2)
      await claimFor(userId, running)
    }
    const line = () => findNextInLine(db, 'normal', asking, 2)
    expect((await row((await line()) ?? '')).userId).toBe(some)
    const ids = await storeJobs(none, 2)
    // Accounts are walked through in two parts; within one the emptier account goes first.
    expect([some, none]).toContain((await row((await line()) ?? '')).userId)
    await claimFor(some, 1)
    expect(await line()).toBe(ids[0])
  })

  test('a job that is held back is in no line', async () => {
    const job = await storeJob(db)
    await holdJob(db, job.id)
    expect(await findNextInLine(db, 'normal', randomUUID(), 5)).toBeNull()
  })
})

describe('held jobs come back', () => {
  test('the oldest of the account and lane first, each once, whoever asks at the same time', async () => {
    const userId = randomUUID()
    const ids = await storeJobs(userId, 3)
    for (const id of ids) await holdJob(db, id)
    await holdJob(db, (await storeJob(db, { userId, lane: 'high' })).id)
    expect(await takeHeldJobOf(db, userId, 'normal')).toEqual({ id: ids[0], lane: 'normal' })
    const taken = await Promise.all([1, 2, 3, 4].map(() => takeHeldJobOf(db, userId, 'normal')))
    const found = taken.flatMap((job) => job?.id ?? [])
    expect(new Set(found).size).toBe(found.length)
    expect(ids).toEqual(expect.arrayContaining(found))
    expect(await takeHeldJobOf(db, randomUUID(), 'normal')).toBeNull()
  })

  test('as many as the shares leave, then the spare ones, accounts with the fewest first', async () => {
    const [busy, idle] = [randomUUID(), randomUUID()]
    const [ofBusy, ofIdle] = [await storeJobs(busy, 3), await storeJobs(idle, 3)]
    for (const id of [...ofBusy, ...ofIdle]) await holdJob(db, id)
    await claimFor(busy, 2)
    const take = async (terms: object) =>
      (await takeHeldJobs(db, 'normal', { ...ALL, ...terms })).map(({ id }) => id).sort()
    expect(await takeHeldJobs(db, 'high', ALL)).toEqual([])
    expect(await take({ share: 1 })).toEqual([ofIdle[0]])
    expect(await take({ share: 0 })).toEqual([])
    expect(await take({ share: 0, spare: 2 })).toEqual(ofIdle.slice(1))
    expect(await take({ share: 4, limit: 1 })).toEqual([ofBusy[0]])
    expect(await take({ share: 4 })).toEqual(ofBusy.slice(1))
    expect(await take({ share: 4 })).toEqual([])
  })

  test('a woken job whose wake-up got lost is found by the sweeper', async () => {
    const { id } = await storeJob(db)
    await holdJob(db, id)
    await takeHeldJobs(db, 'normal', ALL)
    await db.query(`UPDATE jobs SET wake_at = wake_at - interval '4 s'`)
    expect(await takeWakeableJobs(db, 10, 15)).toHaveLength(1)
  })
})
