import { once } from 'node:events'
import { cancelJob, type Job } from '@subtext/core/jobs'
import { waitUntil } from '@subtext/embedded/testing'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
  // No lease expires and no heartbeat comes during a test: only the notification can end the work.
  worker.ctx.work = { ...worker.ctx.work, leaseSeconds: 3_600 }
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

const cancel = ({ id, userId }: Job) =>
  cancelJob(worker.ctx, { userId, apiKeyId: '', plan: 'pro', scopes: ['write'] }, id)
const untilAborted = async (signal: AbortSignal): Promise<never> => {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}
const CANCELLED = { status: 'failed', leaseToken: null, error: { code: 'JOB_CANCELLED' } }

test('a cancelled job stops on notification, and nothing more is written for it', async () => {
  worker.stubs.beforeVideo = untilAborted
  const job = await worker.submit()
  const work = worker.run(job)
  await waitUntil('the step is stored', async () => (await worker.row(job)).progress === 5)
  expect(worker.stubs.videos).toHaveLength(1)
  await cancel(job)
  await work
  expect(worker.outcomes).toEqual(['cancelled'])
  expect(await worker.row(job)).toMatchObject({ ...CANCELLED, attempts: 1, progress: 5 })
  await worker.run(job)
  expect(worker.stubs.videos).toHaveLength(1)
})

test('a job that is cancelled while it waits is not started', async () => {
  const job = await worker.submit()
  await cancel(job)
  await worker.run(job)
  expect(worker.stubs.videos).toEqual([])
  expect(worker.outcomes).toEqual([])
})

test('jobs that waited for the captions of a cancelled job fetch them and complete', async () => {
  worker.stubs.beforeVideo = async (signal) => {
    if (worker.stubs.videos.length === 1) await untilAborted(signal)
  }
  const first = await worker.submit({ videoId: 'same-video1' })
  const works = [worker.run(first)]
  await waitUntil('the video is requested', () => worker.stubs.videos.length > 0)
  const others = await Promise.all([1, 2, 3].map(() => worker.submit({ videoId: 'same-video1' })))
  works.push(...others.map((job) => worker.run(job)))
  await waitUntil('the other jobs are processing', async () =>
    (await Promise.all(others.map((job) => worker.row(job)))).every(({ status }) => status === 'processing'),
  )
  await cancel(first)
  await Promise.all(works)
  expect(await worker.row(first)).toMatchObject(CANCELLED)
  for (const other of others) expect((await worker.row(other)).status).toBe('completed')
  expect(worker.stubs.videos).toHaveLength(2)
})

test('a job that waited for the summaries of a cancelled job reuses those that exist and writes the rest', async () => {
  const modes = { summary_modes: ['tldr', 'detailed'] as ('tldr' | 'detailed')[] }
  worker.stubs.beforeSummary = async (mode, signal) => {
    if (mode === 'detailed' && worker.stubs.summaries.length === 2) await untilAborted(signal)
  }
  const first = await worker.submit({ videoId: 'same-video1' }, modes)
  const works = [worker.run(first)]
  await waitUntil('two summaries are requested', () => worker.stubs.summaries.length >= 2)
  const other = await worker.submit({ videoId: 'same-video1' }, modes)
  works.push(worker.run(other))
  await waitUntil('the other job is summarizing', async () => (await worker.row(other)).step === 'summarizing')
  await cancel(first)
  await Promise.all(works)
  expect(await worker.row(first)).toMatchObject(CANCELLED)
  expect((await worker.row(other)).status).toBe('completed')
  expect(worker.stubs.summaries).toEqual(['tldr', 'detailed', 'detailed'])
})
