import { ServiceError } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import { EgressesRestingError, LastingBlockError } from '@subtext/youtube'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const unavailable = () => Promise.reject(new ServiceError('UPSTREAM_UNAVAILABLE'))
/** Makes every fetch fail, as if no egress could be tried for that many seconds. */
const rest = (seconds: number): void => {
  worker.stubs.beforeVideo = () => {
    const now = Date.now()
    return Promise.reject(new EgressesRestingError(now, now + seconds * 1_000))
  }
}

/** Claims the job as a worker does that dies at once. All leases of the claim end at the same time. */
async function die(job: Job): Promise<void> {
  expect(await worker.ctx.claim(job.id)).not.toBeNull()
  await worker.passTime()
  await worker.ctx.db.query(`UPDATE leases SET until = now() - interval '1 s'`)
}

describe('deaths of workers', () => {
  test('do not count as attempts', async () => {
    worker.stubs.beforeVideo = unavailable
    const job = await worker.submit()
    for (let death = 0; death < 4; death++) await die(job)
    for (let time = 0; time < 3; time++) await worker.run(job)
    expect(worker.outcomes).toEqual(['postponed', 'postponed', 'failed'])
    expect(await worker.row(job)).toMatchObject({ attempts: 3, deaths: 4, error: { code: 'UPSTREAM_UNAVAILABLE' } })
  })

  test('fail a job after the fifth, without another attempt', async () => {
    const job = await worker.submit()
    for (let death = 0; death < 5; death++) await die(job)
    await worker.run(job)
    expect(worker.stubs.videos).toEqual([])
    expect(await worker.row(job)).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', retryable: false },
    })
  })

  test('do not end a job with a long retry schedule, which fails with its own error', async () => {
    worker.ctx.work = { ...worker.ctx.work, retrySchedule: Array(7).fill(0) }
    worker.stubs.beforeVideo = unavailable
    const job = await worker.submit()
    for (let time = 0; time < 8; time++) await worker.run(job)
    expect(worker.outcomes).toEqual([...Array(7).fill('postponed'), 'failed'])
    expect(await worker.row(job)).toMatchObject({ error: { code: 'UPSTREAM_UNAVAILABLE', retryable: true } })
  })
})

describe('while every egress is resting', () => {
  test('a job waits until one may be tried, without using up an attempt', async () => {
    rest(60)
    const job = await worker.submit()
    for (let time = 0; time < 10; time++) {
      const before = Date.now()
      await worker.run(job)
      const { status, attempts, leaseToken, wakeAt, waitingSince } = await worker.row(job)
      expect({ status, attempts, leaseToken }).toEqual({ status: 'processing', attempts: 0, leaseToken: null })
      expect(wakeAt.getTime()).toBeGreaterThan(before + 30_000)
      expect(waitingSince?.getTime()).toBeLessThanOrEqual(Date.now())
      await worker.passTime()
    }
    expect(worker.outcomes).toEqual(Array(10).fill('waiting'))
    expect(worker.notifications).toContain('progress')
    worker.stubs.beforeVideo = async () => {}
    await worker.run(job)
    expect(await worker.row(job)).toMatchObject({ status: 'completed', attempts: 1 })
  })

  test('a batch of 100 waits, and completes once the platform answers', async () => {
    rest(60)
    const jobs = []
    for (let nth = 0; nth < 100; nth++) jobs.push(await worker.submit())
    await Promise.all(jobs.map((job) => worker.run(job)))
    expect(worker.outcomes).toEqual(Array(100).fill('waiting'))
    worker.stubs.beforeVideo = async () => {}
    await worker.passTime()
    await Promise.all(jobs.map((job) => worker.run(job)))
    expect(await worker.ctx.db.prisma.job.count({ where: { status: 'completed', attempts: 1 } })).toBe(100)
  })

  test('a job waits only as long as the setting allows in total, and then fails with the reason', async () => {
    rest(3_000)
    const job = await worker.submit()
    await worker.run(job)
    await worker.ctx.db.query(`UPDATE jobs SET waiting_since = waiting_since - interval '3590 s'`)
    await worker.passTime()
    await worker.run(job)
    expect((await worker.row(job)).wakeAt.getTime()).toBeLessThan(Date.now() + 11_000)
    await worker.ctx.db.query(`UPDATE jobs SET waiting_since = waiting_since - interval '60 s'`)
    await worker.passTime()
    await worker.run(job)
    expect(worker.outcomes).toEqual(['waiting', 'waiting', 'failed'])
    expect(await worker.row(job)).toMatchObject({ attempts: 1, error: { code: 'UPSTREAM_BLOCKED', retryable: true } })
  })

  test('a job is retried by the schedule if the setting allows no wait', async () => {
    worker.ctx.work = { ...worker.ctx.work, maxWaitSeconds: 0, retrySchedule: [0] }
    worker.stubs.beforeVideo = () => Promise.reject(new EgressesRestingError(0, 0))
    const job = await worker.submit()
    for (let time = 0; time < 2; time++) await worker.run(job)
    expect(worker.outcomes).toEqual(['postponed', 'failed'])
  })

  test('a job fails at once when the only egress has nothing new to say about its video', async () => {
    worker.stubs.beforeVideo = () => Promise.reject(new LastingBlockError('content_unavailable'))
    const job = await worker.submit()
    await worker.run(job)
    expect(worker.outcomes).toEqual(['failed'])
    expect(await worker.row(job)).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_BLOCKED' } })
  })

  test('the time of waiting does not count as processing time', async () => {
    rest(60)
    const job = await worker.submit()
    await worker.run(job)
    await worker.ctx.db.query(
      `UPDATE jobs SET started_at = started_at - interval '1800 s', waiting_since = waiting_since - interval '1798 s'`,
    )
    await worker.passTime()
    worker.stubs.beforeVideo = async () => {}
    await worker.run(job)
    const { processingMs } = await worker.ctx.db.prisma.result.findUniqueOrThrow({ where: { jobId: job.id } })
    expect(processingMs).toBeGreaterThanOrEqual(2_000)
    expect(processingMs).toBeLessThan(1_000_000)
  })
})
