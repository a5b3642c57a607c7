import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@subtext/contracts'
import { type Job, readCues } from '@subtext/db'
import { newCues, openTestWorker, type TestWorker } from '../testing/worker.ts'
import { obtainTranscript } from './obtain-transcript.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

const obtain = (job: Job, signal = new AbortController().signal) =>
  obtainTranscript(worker.ctx, job, {
    signal,
    capacity: worker.ctx.largeVideos.open(),
    onFetchingCaptions: async () => {},
  })
const slow = async () => {
  await sleep(100)
}
const many = (count: number, ...terms: Parameters<TestWorker['submit']>) =>
  Promise.all(Array.from({ length: count }, () => worker.submit(...terms)))

test('20 jobs at once for a video: one asks the platform, all have the same transcript', async () => {
  worker.stubs.beforeVideo = slow
  const jobs = await many(20, { videoId: 'same-video1' })
  const obtained = await Promise.all(jobs.map((job) => obtain(job)))
  expect(worker.stubs).toMatchObject({ videos: ['same-video1'], captions: ['.en'] })
  expect(new Set(obtained.map(({ transcript }) => transcript.id)).size).toBe(1)
  const { transcript } = obtained[0] as (typeof obtained)[0]
  const cues = []
  for await (const part of readCues(worker.ctx.db, transcript.id, transcript.cueCount)) cues.push(...part)
  expect(cues).toEqual(newCues('en'))
})

test('jobs in two languages at once: each track is fetched once', async () => {
  worker.stubs.beforeVideo = slow
  const english = await many(5, { videoId: 'same-video2' }, { language: 'en' })
  const german = await many(5, { videoId: 'same-video2' }, { language: 'de' })
  const obtained = await Promise.all([...english, ...german].map((job) => obtain(job)))
  expect(worker.stubs.captions.sort()).toEqual(['.de', '.en'])
  expect(obtained.map(({ transcript }) => transcript.track.language)).toEqual([
    ...Array(5).fill('en'),
    ...Array(5).fill('de'),
  ])
})

test('videos do not wait for each other', async () => {
  let atOnce = 0
  worker.stubs.beforeVideo = async () => {
    atOnce++
    while (atOnce < 3) await sleep(5)
  }
  await Promise.all((await many(3)).map((job) => obtain(job)))
  expect(worker.stubs.videos).toHaveLength(3)
})

test('a later job takes what is there; what the platform said is believed for a while only, captions for good', async () => {
  const [first, second, third] = (await many(3, { videoId: 'same-video3' })) as [Job, Job, Job]
  await obtain(first)
  await obtain(second)
  expect(worker.stubs.videos).toHaveLength(1)
  await worker.ctx.db.query(`UPDATE videos SET fetched_at = now() - interval '11 min'`)
  await obtain(third)
  expect(worker.stubs).toMatchObject({ videos: ['same-video3', 'same-video3'], captions: ['.en'] })
})

test('a refresh reads anew, once for all that ask for it together; others keep what they have', async () => {
  const before = await obtain(await worker.submit({ videoId: 'same-video4' }))
  worker.stubs.beforeVideo = slow
  const jobs = await many(8, { videoId: 'same-video4', forceRefresh: true })
  const obtained = await Promise.all(jobs.map((job) => obtain(job)))
  expect(worker.stubs.captions).toEqual(['.en', '.en'])
  expect(new Set(obtained.map(({ transcript }) => transcript.id)).size).toBe(1)
  expect(obtained[0]?.transcript.id).not.toBe(before.transcript.id)
  expect(await worker.ctx.db.prisma.transcript.count()).toBe(2)
})

test('a language that is not there is said, with what was taken for it', async () => {
  const { transcript, warnings, selectionReason } = await obtain(await worker.submit({}, { language: 'ja' }))
  expect(transcript.track.language).toBe('en')
  expect(warnings).toEqual([{ code: 'LANGUAGE_NOT_AVAILABLE', message: expect.stringContaining('`ja`') }])
  expect(selectionReason).toBe('manual_spoken_language')
  const exact = await obtain(await worker.submit({}, { language: 'de' }))
  expect([exact.warnings, exact.selectionReason]).toEqual([[], 'manual_exact_language'])
})

test('a refusal is met once by all that ask together, and their next try is one again', async () => {
  let times = 0
  worker.stubs.beforeVideo = async () => {
    await sleep(200)
    if (++times === 1) throw new ServiceError('UPSTREAM_BLOCKED')
  }
  const jobs = await many(4, { videoId: 'same-video5' })
  const outcomes = await Promise.allSettled(jobs.map((job) => obtain(job)))
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
    Array(4).fill('UPSTREAM_BLOCKED'),
  )
  expect(worker.stubs.videos).toHaveLength(1)
  await Promise.all(jobs.map((job) => obtain(job)))
  expect(worker.stubs.videos).toHaveLength(2)
})

test('a mistake is that of the job that met it; the next one tries for itself', async () => {
  let times = 0
  worker.stubs.beforeVideo = async () => {
    await sleep(50)
    if (++times === 1) throw new Error('a bug')
  }
  const jobs = await many(4, { videoId: 'same-video9' })
  const outcomes = await Promise.allSettled(jobs.map((job) => obtain(job)))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  expect(worker.stubs.videos).toHaveLength(2)
})

test('that there are no captions is found out once for all that ask together, and anew for whoever asks later', async () => {
  worker.stubs.beforeVideo = async () => {
    await sleep(200)
    throw new ServiceError('TRANSCRIPT_UNAVAILABLE', { details: { reason: 'no_captions' } })
  }
  const jobs = await many(10, { videoId: 'same-video8' })
  const outcomes = await Promise.allSettled(jobs.map((job) => obtain(job)))
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code)).toEqual(
    Array(10).fill('TRANSCRIPT_UNAVAILABLE'),
  )
  expect(worker.stubs.videos).toHaveLength(1)
  worker.stubs.beforeVideo = async () => {}
  await expect(obtain(await worker.submit({ videoId: 'same-video8' }))).resolves.toBeDefined()
})

test('a worker that was held up finds what another one brought meanwhile, and keeps that', async () => {
  const [held, other] = (await many(2, { videoId: 'same-video6' })) as [Job, Job]
  let sooner: string | undefined
  const { source } = worker.ctx
  const overtake = async () => {
    worker.ctx.source = source
    // The right to fetch the video has run out.
    await worker.ctx.db.query("UPDATE leases SET until = now() - interval '1 s'")
    sooner = (await obtain(other)).transcript.id
  }
  worker.ctx.source = {
    ...source,
    async fetchVideo(...asked) {
      const video = await source.fetchVideo(...asked)
      const fetchTranscript: typeof video.fetchTranscript = async (track) => {
        const said = await video.fetchTranscript(track)
        await overtake()
        return said
      }
      return { ...video, fetchTranscript }
    },
  }
  expect((await obtain(held)).transcript.id).toBe(sooner)
  expect(await worker.ctx.db.prisma.transcript.count()).toBe(1)
})

test('when it was published is asked for once, beside the captions, and kept', async () => {
  const { source } = worker.ctx
  let asked = 0
  worker.ctx.source = {
    ...source,
    fetchVideo: async (...terms) => ({
      ...(await source.fetchVideo(...terms)),
      fetchPublishedAt: async () => {
        asked++
        return '2025-03-02T18:00:00.000Z'
      },
    }),
  }
  const jobs = await many(3, { videoId: 'same-video7' })
  for (const job of jobs) expect((await obtain(job)).info.published_at).toBe('2025-03-02T18:00:00.000Z')
  expect(asked).toBe(1)
})
