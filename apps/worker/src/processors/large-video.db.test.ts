import { openTestWorker, type TestWorker } from '../testing/worker.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

test('a large video beyond the capacity of the worker is handed back without counting as an attempt, and fetched once', async () => {
  const { source } = worker.ctx
  worker.ctx.source = {
    ...source,
    async fetchVideo(...asked) {
      const video = await source.fetchVideo(...asked)
      return { ...video, info: { ...video.info, duration_seconds: 36_000 } }
    },
  }
  const other = worker.ctx.largeVideos.open()
  other.claim({ seconds: 36_000 })
  const job = await worker.submit()
  for (let tries = 0; tries < 3; tries++) {
    const before = Date.now()
    await worker.run(job)
    const { attempts, leaseToken, wakeAt } = await worker.row(job)
    expect({ attempts, leaseToken }).toEqual({ attempts: 0, leaseToken: null })
    expect(wakeAt?.getTime()).toBeGreaterThan(before + 5_000)
    await worker.passTime()
  }
  expect(worker.outcomes).toEqual(['handed_back', 'handed_back', 'handed_back'])
  expect(worker.stubs).toMatchObject({ videos: [job.videoId], captions: [] })

  other.release()
  await worker.run(job)
  expect(await worker.row(job)).toMatchObject({ status: 'completed', attempts: 1 })
  // The next job finds the capacity free again.
  const next = await worker.submit({ videoId: 'another-vid' })
  await worker.run(next)
  expect(await worker.row(next)).toMatchObject({ status: 'completed' })
})
