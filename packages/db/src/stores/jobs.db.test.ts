import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimStoredJob, storeJob } from '../testing/jobs.ts'
import {
  claimJob,
  endJob,
  extendLease,
  findJob,
  type JobEnd,
  type Lease,
  releaseJob,
  reportProgress,
  takeWakeableJobs,
} from './jobs.ts'

const { db } = useTestDatabase()

const newLease = (jobId: string): Lease => ({ jobId, token: randomUUID() })
const row = (id: string) => db.prisma.job.findUniqueOrThrow({ where: { id } })
const passTime = (id: string) => db.query(`UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1`, [id])
const COMPLETED: JobEnd = { status: 'completed', error: null, warnings: [], completedAt: new Date() }

describe('findJob', () => {
  test('shows a job to its owner alone', async () => {
    const { id, userId } = await storeJob(db)
    expect(await findJob(db, userId, id)).toMatchObject({ id, userId, status: 'queued' })
    expect(await findJob(db, randomUUID(), id)).toBeNull()
    expect(await findJob(db, userId, randomUUID())).toBeNull()
  })
})

describe('claimJob', () => {
  test('takes a queued job, counts the attempt and holds it', async () => {
    const { id } = await storeJob(db)
    const job = await claimJob(db, newLease(id), 60)
    expect(job).toMatchObject({ id, status: 'processing', attempts: 1, startedAt: expect.any(Date) })
    expect(await claimJob(db, newLease(id), 60)).toBeNull()
  })

  test('of ten at once one wins', async () => {
    const { id } = await storeJob(db)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimJob(db, newLease(id), 60)))
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
    expect((await row(id)).attempts).toBe(1)
  })

  test('takes over when the lease has run out; of ten at once one', async () => {
    const { job } = await claimStoredJob(db)
    await passTime(job.id)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimJob(db, newLease(job.id), 60)))
    expect(claims.filter((claim) => claim !== null)).toEqual([
      expect.objectContaining({ attempts: 2, startedAt: job.startedAt }),
    ])
  })

  test('moves a job on from waiting; a second attempt leaves the step where it was', async () => {
    const { job, lease } = await claimStoredJob(db)
    expect(job).toMatchObject({ status: 'processing', step: 'fetching_video' })
    await reportProgress(db, lease, 'summarizing', 40)
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id), 60)).toMatchObject({ step: 'summarizing' })
  })

  test('leaves a paused job alone until its time', async () => {
    const { job, lease } = await claimStoredJob(db)
    expect(await releaseJob(db, lease, { delaySeconds: 60, refund: false })).toBe(true)
    expect(await claimJob(db, newLease(job.id), 60)).toBeNull()
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id), 60)).toMatchObject({ attempts: 2 })
  })

  test.each(['completed', 'failed'] as const)('never takes a job that has %s', async (status) => {
    const { job, lease } = await claimStoredJob(db)
    expect(await endJob(db, lease, { ...COMPLETED, status })).not.toBeNull()
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id), 60)).toBeNull()
  })

  test('of a job that is not there: nothing', async () => {
    expect(await claimJob(db, newLease(randomUUID()), 60)).toBeNull()
  })
})

describe('a worker that lost its job', () => {
  const writes: [string, (lease: Lease) => Promise<unknown>, unknown][] = [
    ['extend', (lease) => extendLease(db, lease, 60), false],
    ['report', (lease) => reportProgress(db, lease, 'summarizing', 90), false],
    ['release', (lease) => releaseJob(db, lease, { delaySeconds: 0, refund: true }), false],
    ['end', (lease) => endJob(db, lease, COMPLETED), null],
  ]
  test.each(writes)('to another worker cannot %s it', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await passTime(job.id)
    await claimJob(db, newLease(job.id), 60)
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })

  test.each(writes)('by its end cannot %s it', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await endJob(db, lease, { ...COMPLETED, status: 'failed' })
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })

  test.each(writes)('by letting go of it cannot %s it', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await releaseJob(db, lease, { delaySeconds: 60, refund: false })
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })
})

test('extending puts the end of the lease off', async () => {
  const { job, lease } = await claimStoredJob(db)
  await passTime(job.id)
  expect(await extendLease(db, lease, 60)).toBe(true)
  expect((await row(job.id)).wakeAt.getTime()).toBeGreaterThan(Date.now() + 30_000)
  expect(await claimJob(db, newLease(job.id), 60)).toBeNull()
})

test('progress never falls, also not on a second attempt', async () => {
  const { job, lease } = await claimStoredJob(db)
  await reportProgress(db, lease, 'summarizing', 40)
  await reportProgress(db, lease, 'summarizing', 30)
  expect(await row(job.id)).toMatchObject({ progress: 40, step: 'summarizing' })
  await releaseJob(db, lease, { delaySeconds: 0, refund: false })
  const again = newLease(job.id)
  await claimJob(db, again, 60)
  await reportProgress(db, again, 'fetching_video', 5)
  expect(await row(job.id)).toMatchObject({ progress: 40, step: 'fetching_video' })
})

test('a release counts the attempt, a hand-back does not, and the job may be claimed at once', async () => {
  const { job, lease } = await claimStoredJob(db)
  await releaseJob(db, lease, { delaySeconds: 0, refund: true })
  expect((await row(job.id)).attempts).toBe(0)
  const again = newLease(job.id)
  expect(await claimJob(db, again, 60)).toMatchObject({ attempts: 1 })
  await releaseJob(db, again, { delaySeconds: 0, refund: false })
  expect(await claimJob(db, newLease(job.id), 60)).toMatchObject({ attempts: 2 })
})

describe('endJob', () => {
  test('completes: all of it done, with its warnings', async () => {
    const { job, lease } = await claimStoredJob(db)
    await reportProgress(db, lease, 'summarizing', 40)
    const completedAt = new Date('2026-11-21T12:00:05.123Z')
    const warnings = [{ code: 'TRANSCRIPT_TRUNCATED' as const, message: 'cut' }]
    expect(await endJob(db, lease, { ...COMPLETED, warnings, completedAt })).toMatchObject({
      status: 'completed',
      step: 'completed',
      progress: 100,
      error: null,
      warnings,
      completedAt,
      updatedAt: completedAt,
    })
    expect((await row(job.id)).leaseToken).toBeNull()
  })

  test('fails: the error is kept, progress stays where it was', async () => {
    const { lease } = await claimStoredJob(db)
    await reportProgress(db, lease, 'summarizing', 40)
    const error = { code: 'TRANSCRIPT_UNAVAILABLE' as const, message: 'none', retryable: false, details: { a: [1] } }
    expect(await endJob(db, lease, { ...COMPLETED, status: 'failed', error })).toMatchObject({
      status: 'failed',
      step: 'failed',
      progress: 40,
      error,
    })
  })

  test('ends once, whoever else tries at the same time', async () => {
    const { lease } = await claimStoredJob(db)
    const ends = await Promise.all(Array.from({ length: 10 }, () => endJob(db, lease, COMPLETED)))
    expect(ends.filter((end) => end !== null)).toHaveLength(1)
  })
})

describe('takeWakeableJobs', () => {
  beforeEach(() => db.query('DELETE FROM jobs'))

  test('finds what is due: lost wake-ups, ended leases, ended pauses; nothing else', async () => {
    const lost = await storeJob(db, { lane: 'high' }, -5)
    const fresh = await storeJob(db)
    const held = await claimStoredJob(db)
    const dead = await claimStoredJob(db)
    const paused = await claimStoredJob(db)
    const rested = await claimStoredJob(db)
    const ended = await claimStoredJob(db)
    await passTime(dead.job.id)
    await releaseJob(db, paused.lease, { delaySeconds: 60, refund: false })
    await releaseJob(db, rested.lease, { delaySeconds: -1, refund: false })
    await endJob(db, ended.lease, COMPLETED)
    await passTime(ended.job.id)
    const taken = await takeWakeableJobs(db, 100, 15)
    expect(taken.map(({ id }) => id).sort()).toEqual([lost.id, dead.job.id, rested.job.id].sort())
    expect(taken.find(({ id }) => id === lost.id)?.lane).toBe('high')
    for (const id of [fresh.id, held.job.id, paused.job.id]) expect(taken.map((job) => job.id)).not.toContain(id)
  })

  test('a queued job is not said again for a while; a claim need not wait for that', async () => {
    const { id } = await storeJob(db, {}, -5)
    expect(await takeWakeableJobs(db, 10, 15)).toHaveLength(1)
    expect(await takeWakeableJobs(db, 10, 15)).toEqual([])
    expect(await claimJob(db, newLease(id), 60)).not.toBeNull()
  })

  test('a job whose worker died can be claimed right after it was woken', async () => {
    const { job } = await claimStoredJob(db)
    await passTime(job.id)
    expect(await takeWakeableJobs(db, 10, 15)).toHaveLength(1)
    expect(await claimJob(db, newLease(job.id), 60)).toMatchObject({ attempts: 2 })
  })

  test('takes at most its limit, those first that have waited longest', async () => {
    const late = await storeJob(db, {}, -5)
    const later = await storeJob(db, {}, -10)
    const latest = await storeJob(db, {}, -20)
    expect((await takeWakeableJobs(db, 2, 15)).map(({ id }) => id).sort()).toEqual([later.id, latest.id].sort())
    expect((await takeWakeableJobs(db, 2, 15)).map(({ id }) => id)).toEqual([late.id])
  })

  test('sweepers at once share the work', async () => {
    await Promise.all(Array.from({ length: 40 }, () => storeJob(db, {}, -5)))
    const taken = await Promise.all(Array.from({ length: 4 }, () => takeWakeableJobs(db, 10, 15)))
    const ids = taken.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const rest = await takeWakeableJobs(db, 100, 15)
    expect(ids.length + rest.length).toBe(40)
  })

  test('passes over a row that somebody is writing', async () => {
    const { id } = await storeJob(db, {}, -5)
    await db.transaction(async (sql) => {
      await sql.query('SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE', [id])
      expect(await takeWakeableJobs(db, 10, 15)).toEqual([])
    })
  })
})
