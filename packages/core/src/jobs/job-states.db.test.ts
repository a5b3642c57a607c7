import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimJob, claimStoredJob, holdJob, storeJob } from '../testing/index.ts'
import { endJob, type JobEnd } from './end-sql.ts'
import { findJob } from './find-sql.ts'
import type { Lease } from './job-row.ts'
import { extendLease } from './keep-lease-sql.ts'
import { releaseJob } from './release-sql.ts'
import { reportProgress } from './report-step-sql.ts'
import { type DueJob, endHolds, listDueJobs } from './sweep-sql.ts'

const { db } = useTestDatabase()

const newLease = (jobId: string): Lease => ({ jobId, token: randomUUID() })
const row = (id: string) => db.prisma.job.findUniqueOrThrow({ where: { id } })
const passTime = (id: string) => db.query(`UPDATE jobs SET wake_at = now() - interval '1 s' WHERE id = $1`, [id])
const COMPLETED: JobEnd = { status: 'completed', error: null, warnings: [], completedAt: new Date() }

describe('claimJob', () => {
  test('claims a queued job and counts the attempt', async () => {
    const { id } = await storeJob(db)
    const job = await claimJob(db, newLease(id))
    expect(job).toMatchObject({ id, status: 'processing', attempts: 1, startedAt: expect.any(Date) })
    expect(await claimJob(db, newLease(id))).toBeNull()
  })

  test('returns the plan of the account', async () => {
    const { id, userId } = await storeJob(db)
    await db.prisma.user.create({ data: { id: userId, email: `${userId}@example.org`, plan: 'plus' } })
    expect(await claimJob(db, newLease(id))).toMatchObject({ plan: 'plus' })
  })

  test('lets one of ten concurrent claims win', async () => {
    const { id } = await storeJob(db)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimJob(db, newLease(id))))
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
    expect((await row(id)).attempts).toBe(1)
  })

  test('lets one of ten concurrent claims take over an expired lease', async () => {
    const { job } = await claimStoredJob(db)
    await passTime(job.id)
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimJob(db, newLease(job.id))))
    expect(claims.filter((claim) => claim !== null)).toEqual([
      expect.objectContaining({ attempts: 1, deaths: 1, startedAt: job.startedAt }),
    ])
  })

  test('moves a queued job to its first step, and keeps the step on another attempt', async () => {
    const { job, lease } = await claimStoredJob(db)
    expect(job).toMatchObject({ status: 'processing', step: 'fetching_video' })
    await reportProgress(db, lease, { step: 'summarizing', progress: 40 })
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id))).toMatchObject({ step: 'summarizing' })
  })

  test('does not claim a paused job before its time', async () => {
    const { job, lease } = await claimStoredJob(db)
    expect(await releaseJob(db, lease, { delaySeconds: 60, refund: false })).toBe(true)
    expect(await claimJob(db, newLease(job.id))).toBeNull()
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id))).toMatchObject({ attempts: 2 })
  })

  test.each(['completed', 'failed'] as const)('never claims a job that has %s', async (status) => {
    const { job, lease } = await claimStoredJob(db)
    expect(await endJob(db, lease, { ...COMPLETED, status })).not.toBeNull()
    await passTime(job.id)
    expect(await claimJob(db, newLease(job.id))).toBeNull()
  })

  test('returns null for an unknown job', async () => {
    expect(await claimJob(db, newLease(randomUUID()))).toBeNull()
  })
})

describe('a worker that lost its job', () => {
  const writes: [string, (lease: Lease) => Promise<unknown>, unknown][] = [
    ['extend', (lease) => extendLease(db, lease, 60), false],
    ['report', (lease) => reportProgress(db, lease, { step: 'summarizing', progress: 90 }), false],
    ['release', (lease) => releaseJob(db, lease, { delaySeconds: 0, refund: true }), false],
    ['end', (lease) => endJob(db, lease, COMPLETED), null],
  ]
  test.each(writes)('cannot %s a job claimed by another worker', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await passTime(job.id)
    await claimJob(db, newLease(job.id))
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })

  test.each(writes)('cannot %s a job that has ended', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await endJob(db, lease, { ...COMPLETED, status: 'failed' })
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })

  test.each(writes)('cannot %s a job that it released', async (_, write, refusal) => {
    const { job, lease } = await claimStoredJob(db)
    await releaseJob(db, lease, { delaySeconds: 60, refund: false })
    const before = await row(job.id)
    expect(await write(lease)).toBe(refusal)
    expect(await row(job.id)).toEqual(before)
  })
})

test('extends the lease', async () => {
  const { job, lease } = await claimStoredJob(db)
  await passTime(job.id)
  const before = Date.now()
  expect(await extendLease(db, lease, 60)).toBe(true)
  expect((await row(job.id)).wakeAt.getTime()).toBeGreaterThan(before + 30_000)
  expect(await claimJob(db, newLease(job.id))).toBeNull()
})

test('keeps the title of the video once it has been reported', async () => {
  const { job, lease } = await claimStoredJob(db)
  await reportProgress(db, lease, { step: 'fetching_video', progress: 5 })
  expect(await findJob(db, job.userId, job.id)).toMatchObject({ videoTitle: null })
  await reportProgress(db, lease, { step: 'fetching_captions', progress: 15, videoTitle: 'Rivers 日本' })
  await reportProgress(db, lease, { step: 'summarizing', progress: 40 })
  expect(await findJob(db, job.userId, job.id)).toMatchObject({ videoTitle: 'Rivers 日本' })
})

test('never decreases progress, even on another attempt', async () => {
  const { job, lease } = await claimStoredJob(db)
  await reportProgress(db, lease, { step: 'summarizing', progress: 40 })
  await reportProgress(db, lease, { step: 'summarizing', progress: 30 })
  expect(await row(job.id)).toMatchObject({ progress: 40, step: 'summarizing' })
  await releaseJob(db, lease, { delaySeconds: 0, refund: false })
  const again = newLease(job.id)
  await claimJob(db, again)
  await reportProgress(db, again, { step: 'fetching_video', progress: 5 })
  expect(await row(job.id)).toMatchObject({ progress: 40, step: 'fetching_video' })
})

test('counts the attempt of a released job unless it is refunded, and lets the job be claimed at once', async () => {
  const { job, lease } = await claimStoredJob(db)
  await releaseJob(db, lease, { delaySeconds: 0, refund: true })
  expect((await row(job.id)).attempts).toBe(0)
  const again = newLease(job.id)
  expect(await claimJob(db, again)).toMatchObject({ attempts: 1 })
  await releaseJob(db, again, { delaySeconds: 0, refund: false })
  expect(await claimJob(db, newLease(job.id))).toMatchObject({ attempts: 2 })
})

test('counts the death of a worker once, and releasing a repeated attempt refunds that attempt', async () => {
  const { job } = await claimStoredJob(db)
  await passTime(job.id)
  const second = newLease(job.id)
  expect(await claimJob(db, second)).toMatchObject({ attempts: 1, deaths: 1 })
  await releaseJob(db, second, { delaySeconds: 0, refund: true })
  const third = newLease(job.id)
  expect(await claimJob(db, third)).toMatchObject({ attempts: 1, deaths: 1 })
  await releaseJob(db, third, { delaySeconds: 0, refund: false })
  expect(await claimJob(db, newLease(job.id))).toMatchObject({ attempts: 2, deaths: 1 })
})

test('remembers since when a job waits, and shows its next attempt until it is claimed', async () => {
  const { job, lease } = await claimStoredJob(db)
  expect(job).toMatchObject({ waitingSince: null, nextAttemptAt: null })
  await releaseJob(db, lease, { delaySeconds: 60, refund: true, waiting: true })
  const paused = await findJob(db, job.userId, job.id)
  const { wakeAt, waitingSince } = await row(job.id)
  expect(paused).toMatchObject({ nextAttemptAt: wakeAt, waitingSince: expect.any(Date) })
  await passTime(job.id)
  expect(await findJob(db, job.userId, job.id)).toMatchObject({ nextAttemptAt: null })
  const again = newLease(job.id)
  expect(await claimJob(db, again)).toMatchObject({ nextAttemptAt: null, waitingSince })
  await releaseJob(db, again, { delaySeconds: 60, refund: true, waiting: true })
  expect((await row(job.id)).waitingSince).toEqual(waitingSince)
})

describe('endJob', () => {
  test('completes a job with full progress and its warnings', async () => {
    const { job, lease } = await claimStoredJob(db)
    await reportProgress(db, lease, { step: 'summarizing', progress: 40 })
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

  test('fails a job with its error, and keeps its progress', async () => {
    const { lease } = await claimStoredJob(db)
    await reportProgress(db, lease, { step: 'summarizing', progress: 40 })
    const error = { code: 'TRANSCRIPT_UNAVAILABLE' as const, message: 'none', retryable: false, details: { a: [1] } }
    expect(await endJob(db, lease, { ...COMPLETED, status: 'failed', error })).toMatchObject({
      status: 'failed',
      step: 'failed',
      progress: 40,
      error,
    })
  })

  test('ends a job once, even concurrently', async () => {
    const { lease } = await claimStoredJob(db)
    const ends = await Promise.all(Array.from({ length: 10 }, () => endJob(db, lease, COMPLETED)))
    expect(ends.filter((end) => end !== null)).toHaveLength(1)
  })
})

describe('listDueJobs', () => {
  beforeEach(() => db.query('DELETE FROM jobs'))
  const listIds = async (status: 'queued' | 'processing') =>
    (await listDueJobs(db, status, null, 100)).map(({ id }) => id).sort()

  test('lists only jobs with a lost wake-up, an expired lease or an expired pause', async () => {
    const lost = await storeJob(db, { lane: 'high' }, -5)
    await storeJob(db)
    await claimStoredJob(db)
    const dead = await claimStoredJob(db)
    const paused = await claimStoredJob(db)
    const rested = await claimStoredJob(db)
    const ended = await claimStoredJob(db)
    await passTime(dead.job.id)
    await releaseJob(db, paused.lease, { delaySeconds: 60, refund: false })
    await releaseJob(db, rested.lease, { delaySeconds: -1, refund: false })
    await endJob(db, ended.lease, COMPLETED)
    await passTime(ended.job.id)
    expect(await listIds('processing')).toEqual([dead.job.id, rested.job.id].sort())
    const queued = await listDueJobs(db, 'queued', null, 100)
    expect(queued).toEqual([{ id: lost.id, lane: 'high', held: false, wakeAt: expect.any(Date) }])
  })

  test('lists a job that it listed before, until it is claimed', async () => {
    const { id } = await storeJob(db, {}, -5)
    expect(await listIds('queued')).toEqual([id])
    expect(await listIds('queued')).toEqual([id])
    expect(await claimJob(db, newLease(id))).not.toBeNull()
    expect(await listIds('queued')).toEqual([])
  })

  test('lists the jobs that have waited longest first, and continues from any position without gaps', async () => {
    const stored = []
    for (let nth = 0; nth < 7; nth++) stored.push((await storeJob(db, {}, -10)).id)
    // Jobs that were accepted together are due at the same time.
    await db.query(`UPDATE jobs SET wake_at = date_trunc('second', now()) - interval '5 s' WHERE id = ANY ($1)`, [
      stored.slice(0, 5),
    ])
    await db.query(`UPDATE jobs SET wake_at = wake_at - interval '1 s' WHERE id = $1`, [stored[5]])
    const listed = []
    let position: DueJob | null = null
    do {
      const window: DueJob[] = await listDueJobs(db, 'queued', position, 2)
      listed.push(...window)
      position = window.at(-1) ?? null
    } while (position)
    expect(listed.map(({ id }) => id).sort()).toEqual([...stored].sort())
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual(stored.slice(5))
  })

  test('lists a held job only after the time for which it is held, and its hold can then end', async () => {
    const [early, late] = [await storeJob(db, {}, -5), await storeJob(db, {}, -5)]
    for (const { id } of [early, late]) await holdJob(db, id)
    expect(await listIds('queued')).toEqual([])
    await passTime(late.id)
    expect(await listDueJobs(db, 'queued', null, 100)).toMatchObject([{ id: late.id, held: true }])
    await endHolds(db, [early.id, late.id])
    expect((await row(early.id)).held).toBe(true)
    expect((await row(late.id)).held).toBe(false)
  })
})
