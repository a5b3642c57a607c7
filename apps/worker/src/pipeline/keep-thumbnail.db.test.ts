import { BlobStoreError } from '@subtext/blobs'
import type { Plan } from '@subtext/contracts'
import { findBlob, THUMBNAIL_BLOB } from '@subtext/core/blobs'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { keepThumbnail } from './keep-thumbnail.ts'

const PICTURE = Buffer.from('picture')
const never = new AbortController().signal

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
  worker.stubs.thumbnail = PICTURE
})
afterEach(() => worker.close())

async function keepFor(plan: Plan, overrides?: Parameters<TestWorker['submit']>[0]): Promise<Buffer | null> {
  const { ctx } = worker
  const job = await worker.submit(overrides)
  const kept = await keepThumbnail(ctx, job, { plan, signal: never })
  const found = await findBlob(ctx, { jobId: job.id, name: THUMBNAIL_BLOB })
  expect(kept !== null).toBe(found !== null)
  return found
}

test('stores a thumbnail with jobs whose plan includes PDF export, and requests none for other jobs', async () => {
  expect(await keepFor('pro')).toEqual(PICTURE)
  for (const plan of ['free', 'plus'] as const) expect(await keepFor(plan)).toBeNull()
})

test('requests no thumbnail for a job that may only use proxies', async () => {
  expect(await keepFor('pro', { useProxy: true })).toBeNull()
  expect(await keepFor('pro', { useProxy: false })).toEqual(PICTURE)
})

test('completes a job without a thumbnail if there is none, or if it cannot be stored', async () => {
  worker.stubs.thumbnail = null
  expect(await keepFor('pro')).toBeNull()
  worker.stubs.thumbnail = PICTURE
  worker.ctx.blobs = { ...worker.ctx.blobs, put: () => Promise.reject(new BlobStoreError('put', 'no answer')) }
  expect(await keepFor('pro')).toBeNull()
})
