import { setTimeout as sleep } from 'node:timers/promises'
import { cancelJob } from '@subtext/core/jobs'
import type { Job } from '@subtext/db'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { processJob } from './process-job.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
  const listeners = new Set<(id: string) => void>()
  worker.ctx.notifier = {
    publish: async (kind, id) => {
      if (kind === 'cancel') for (const listener of listeners) listener(id)
    },
    subscribe: (_kind, listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
})
afterEach(() => worker.close())

const run = (job: Job) => processJob(worker.ctx, job.id, new AbortController().signal)
const row = (job: Job) => worker.ctx.db.prisma.job.findUniqueOrThrow({ where: { id: job.id } })
const cancel = ({ id, userId }: Job) =>
  cancelJob(worker.ctx, { userId, apiKeyId: '', plan: 'pro', scopes: ['write'] }, id)
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
const CANCELLED = { status: 'failed', leaseToken: null, error: { code: 'JOB_CANCELLED' } }

test('the work stops within a second, and nothing more is written of it', async () => {
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  const work = run(job)
  while (worker.stubs.videos.length === 0) await sleep(5)
  const started = performance.now()
  await cancel(job)
  await work
  expect(performance.now() - started).toBeLessThan(1_000)
  expect(worker.outcomes).toEqual(['cancelled'])
  expect(await row(job)).toMatchObject({ ...CANCELLED, attempts: 1, progress: 5 })
  await run(job)
  expect(worker.stubs.videos).toHaveLength(1)
})

test('a job that waits is not begun', async () => {
  const job = await worker.submit()
  await cancel(job)
  await run(job)
  expect(worker.stubs.videos).toEqual([])
  expect(worker.outcomes).toEqual([])
})

test('who waited for its captions fetches them and completes', async () => {
  worker.stubs.beforeVideo = async (signal) => {
    if (worker.stubs.videos.length === 1) await untilAborted(signal)
  }
  const first = await worker.submit({ videoId: 'same-video1' })
  const works = [run(first)]
  while (worker.stubs.videos.length === 0) await sleep(5)
  const others = await Promise.all([1, 2, 3].map(() => worker.submit({ videoId: 'same-video1' })))
  works.push(...others.map(run))
  while ((await Promise.all(others.map(row))).some((other) => other.status !== 'processing')) await sleep(5)
  const started = performance.now()
  await cancel(first)
  await Promise.all(works)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(await row(first)).toMatchObject(CANCELLED)
  for (const other of others) expect((await row(other)).status).toBe('completed')
  expect(worker.stubs.videos).toHaveLength(2)
})

test('who waited for its summaries takes over those that are there and writes the rest', async () => {
  const modes = { summary_modes: ['tldr', 'detailed'] as ('tldr' | 'detailed')[] }
  worker.stubs.beforeSummary = async (mode, signal) => {
    if (mode === 'detailed' && worker.stubs.summaries.length === 2) await untilAborted(signal)
  }
  const first = await worker.submit({ videoId: 'same-video1' }, modes)
  const works = [run(first)]
  while (worker.stubs.summaries.length < 2) await sleep(5)
  const other = await worker.submit({ videoId: 'same-video1' }, modes)
  works.push(run(other))
  while ((await row(other)).step !== 'summarizing') await sleep(5)
  const started = performance.now()
  await cancel(first)
  await Promise.all(works)
  expect(performance.now() - started).toBeLessThan(5_000)
  expect(await row(first)).toMatchObject(CANCELLED)
  expect((await row(other)).status).toBe('completed')
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'detailed'])
})
