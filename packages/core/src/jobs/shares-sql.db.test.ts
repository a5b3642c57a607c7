import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimJob, claimStoredJob, holdJob, storeJob } from '../testing/index.ts'
import { claimJobs } from './claim-sql.ts'
import { endOwnJob } from './end-sql.ts'
import { findJob } from './find-sql.ts'
import { releaseJob } from './release-sql.ts'
import { findNextInLine, takeHeldJobOf, takeHeldJobs } from './shares-sql.ts'
import { listDueJobs } from './sweep-sql.ts'

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
const claimOrHold = async (id: string, share: number) =>
  (await claimJobs(db, [lease(id)], { leaseSeconds: 60, share, hold: true }))[0]
const ALL = { share: 1, spare: 0, limit: 50, from: randomUUID() }

describe('a claim within the share of an account', () => {
  test('refuses a job while its account has its share of the lane, until one of its jobs is released', async () => {
    const userId = randomUUID()
    const first = await claimStoredJob(db, { userId })
    await claimStoredJob(db, { userId })
    const { id: third } = await storeJob(db, { userId })
    expect(await claimJob(db, lease(third), { share: 2 })).toBeNull()
    expect(await claimJob(db, lease((await storeJob(db)).id), { share: 2 })).not.toBeNull()
    expect(await claimJob(db, lease((await storeJob(db, { userId, lane: 'high' })).id), { share: 2 })).not.toBeNull()
    await releaseJob(db, first.lease, { delaySeconds: 60, refund: false })
    expect(await claimJob(db, lease(third), { share: 2 })).toMatchObject({ id: third, attempts: 1 })
  })

  test('does not count expired leases', async () => {
    const userId = randomUUID()
    const { job } = await claimStoredJob(db, { userId })
    await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
    const { id: next } = await storeJob(db, { userId })
    expect(await claimJob(db, lease(next), { share: 1 })).not.toBeNull()
    expect(await claimJob(db, lease(job.id), { share: 1 })).toBeNull()
    expect(await claimJob(db, lease(job.id), { share: 2 })).toMatchObject({ attempts: 1, deaths: 1 })
  })
})

describe('holding back', () => {
  test('holds a waiting job once, and a claim ends the hold', async () => {
    const job = await storeJob(db)
    expect(await holdJob(db, job.id)).toEqual({ userId: job.userId, lane: 'normal' })
    expect(await holdJob(db, job.id)).toBeNull()
    expect(await listDueJobs(db, 'queued', null, 10)).toEqual([])
    expect(await claimJob(db, lease(job.id))).not.toBeNull()
    expect(await row(job.id)).toMatchObject({ held: false, status: 'processing' })
    expect(await holdJob(db, job.id)).toBeNull()
  })

  test('holds and wakes a job that waits for another attempt, and keeps its attempts', async () => {
    const { job, lease: first } = await claimStoredJob(db)
    await releaseJob(db, first, { delaySeconds: 60, refund: false })
    expect(await holdJob(db, job.id)).toBeNull()
    await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
    expect(await holdJob(db, job.id)).not.toBeNull()
    expect(await takeHeldJobOf(db, job.userId, 'normal')).toEqual({ id: job.id, lane: 'normal' })
    expect(await claimJob(db, lease(job.id))).toMatchObject({ attempts: 2 })
  })

  test('counts the death of the worker whose job it holds', async () => {
    const { job } = await claimStoredJob(db)
    await db.query(`UPDATE jobs SET wake_at = now() - interval '1 s'`)
    expect(await holdJob(db, job.id)).not.toBeNull()
    expect(await findJob(db, job.userId, job.id)).toMatchObject({ nextAttemptAt: null, deaths: 1 })
    expect(await claimJob(db, lease(job.id))).toMatchObject({ attempts: 1, deaths: 1 })
  })

  test('lets its owner end a held job', async () => {
    const job = await storeJob(db)
    await holdJob(db, job.id)
    const end = { status: 'failed' as const, error: null, warnings: [], completedAt: new Date() }
    expect(await endOwnJob(db, job.userId, job.id, end)).not.toBeNull()
    expect(await takeHeldJobs(db, 'normal', ALL)).toEqual([])
  })
})

describe('a claim that holds back what is beyond the share', () => {
  test('claims a job within the share of its account, and holds the next one, once', async () => {
    const userId = randomUUID()
    const [first = '', second = ''] = await storeJobs(userId, 2)
    expect(await claimOrHold(first, 1)).toMatchObject({
      claimed: { id: first, attempts: 1, startedAt: expect.any(Date) },
    })
    expect(await claimOrHold(second, 1)).toEqual({ held: { userId, lane: 'normal' } })
    expect(await row(second)).toMatchObject({ held: true, status: 'queued', leaseToken: null, startedAt: null })
    for (const id of [first, second, randomUUID()]) expect(await claimOrHold(id, 1)).toBeNull()
  })

  test('either claims or holds a job that many workers want', async () => {
    const userId = randomUUID()
    await claimFor(userId, 1)
    for (const share of [1, 2]) {
      const { id } = await storeJob(db, { userId })
      const found = await Promise.all(Array.from({ length: 10 }, () => claimOrHold(id, share)))
      expect(found.filter(Boolean)).toHaveLength(1)
      expect(await row(id)).toMatchObject({ held: share === 1, attempts: share - 1 })
    }
  })
})

describe('findNextInLine', () => {
  test.each([5, 200])(
    'finds the one eligible account behind %i jobs, on either side of the asking account',
    async (jobs) => {
      const [one, other] = [randomUUID(), randomUUID()]
      const [low, high] = one < other ? [one, other] : [other, one]
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
    },
  )

  test('skips accounts with their share, and prefers the one with the fewest running jobs, then the oldest job', async () => {
    const [asking, full, some, none] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
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
    // The search has two parts, before and after the asking account. Within each, fewer running jobs win.
    expect([some, none]).toContain((await row((await line()) ?? '')).userId)
    await claimFor(some, 1)
    expect(await line()).toBe(ids[0])
  })

  test('skips held jobs', async () => {
    const job = await storeJob(db)
    await holdJob(db, job.id)
    expect(await findNextInLine(db, 'normal', randomUUID(), 5)).toBeNull()
  })
})

describe('takeHeldJobs', () => {
  test('takes the oldest job of the account and lane first, and each job once, even concurrently', async () => {
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

  test('takes jobs within the shares, then spare ones from the accounts with the fewest jobs', async () => {
    const [busy, idle] = [randomUUID(), randomUUID()]
    const [ofBusy, ofIdle] = [await storeJobs(busy, 3), await storeJobs(idle, 3)]
    for (const id of [...ofBusy, ...ofIdle]) await holdJob(db, id)
    await claimFor(busy, 2)
    const take = async (overrides: object) =>
      (await takeHeldJobs(db, 'normal', { ...ALL, ...overrides })).map(({ id }) => id).sort()
    expect(await takeHeldJobs(db, 'high', ALL)).toEqual([])
    expect(await take({ share: 1 })).toEqual([ofIdle[0]])
    expect(await take({ share: 0 })).toEqual([])
    expect(await take({ share: 0, spare: 2 })).toEqual(ofIdle.slice(1))
    expect(await take({ share: 4, limit: 1 })).toEqual([ofBusy[0]])
    expect(await take({ share: 4 })).toEqual(ofBusy.slice(1))
    expect(await take({ share: 4 })).toEqual([])
  })

  test('looks at a limited number of accounts, from any of which the walk may begin', async () => {
    const accounts = Array.from({ length: 40 }, () => randomUUID()).sort()
    for (const userId of accounts) await holdJob(db, (await storeJob(db, { userId })).id)
    const [second = '', last = ''] = [accounts[1], accounts.at(-1)]
    const taken = await takeHeldJobs(db, 'normal', { ...ALL, limit: 100, from: second })
    const owners = await db.prisma.job.findMany({ where: { id: { in: taken.map(({ id }) => id) } } })
    expect(owners.map(({ userId }) => userId).sort()).toEqual(accounts.slice(2, 27))
    expect(await takeHeldJobs(db, 'normal', { ...ALL, limit: 100, from: last })).toHaveLength(15)
  })

  test('leaves a woken job to the sweep when its wake-up was lost', async () => {
    const { id } = await storeJob(db)
    await holdJob(db, id)
    await takeHeldJobs(db, 'normal', ALL)
    await db.query(`UPDATE jobs SET wake_at = wake_at - interval '4 s'`)
    expect(await listDueJobs(db, 'queued', null, 10)).toHaveLength(1)
  })
})
