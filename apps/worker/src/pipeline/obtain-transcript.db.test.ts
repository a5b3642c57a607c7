import { setTimeout as sleep } from 'node:timers/promises'
import { jest } from '@jest/globals'
import { ServiceError, type TrackFault } from '@subtext/contracts'
import type { Job } from '@subtext/core/jobs'
import { readCues } from '@subtext/core/transcripts'
import { waitUntil } from '@subtext/embedded/testing'
import { at } from '@subtext/runtime'
import { UnusableTrackError } from '@subtext/youtube'
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
const many = (count: number, ...job: Parameters<TestWorker['submit']>) =>
  Promise.all(Array.from({ length: count }, () => worker.submit(...job)))

test('of 20 concurrent jobs for a video, one asks the platform and all get the same transcript', async () => {
  worker.stubs.beforeVideo = slow
  const jobs = await many(20, { videoId: 'same-video1' })
  const obtained = await Promise.all(jobs.map((job) => obtain(job)))
  expect(worker.stubs).toMatchObject({ videos: ['same-video1'], captions: ['.en'] })
  expect(new Set(obtained.map(({ transcript }) => transcript.id)).size).toBe(1)
  const { transcript } = at(obtained, 0)
  const cues = []
  for await (const part of readCues(worker.ctx.db, transcript.id, transcript.cueCount)) cues.push(...part)
  expect(cues).toEqual(newCues('en'))
})

test('concurrent jobs for two languages fetch each track once', async () => {
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

test('jobs for different videos do not wait for each other', async () => {
  let atOnce = 0
  worker.stubs.beforeVideo = async () => {
    atOnce++
    await waitUntil('all three jobs are at work', () => atOnce === 3)
  }
  await Promise.all((await many(3)).map((job) => obtain(job)))
  expect(worker.stubs.videos).toHaveLength(3)
})

test('a later job reuses captions without limit, and information about the video for ten minutes', async () => {
  const [first, second, third] = (await many(3, { videoId: 'same-video3' })) as [Job, Job, Job]
  await obtain(first)
  await obtain(second)
  expect(worker.stubs.videos).toHaveLength(1)
  await worker.ctx.db.query(`UPDATE videos SET fetched_at = now() - interval '11 min'`)
  await obtain(third)
  expect(worker.stubs).toMatchObject({ videos: ['same-video3', 'same-video3'], captions: ['.en'] })
})

test('concurrent jobs with force_refresh fetch once more, and earlier results keep their transcript', async () => {
  const before = await obtain(await worker.submit({ videoId: 'same-video4' }))
  worker.stubs.beforeVideo = slow
  const jobs = await many(8, { videoId: 'same-video4', forceRefresh: true })
  const obtained = await Promise.all(jobs.map((job) => obtain(job)))
  expect(worker.stubs.captions).toEqual(['.en', '.en'])
  expect(new Set(obtained.map(({ transcript }) => transcript.id)).size).toBe(1)
  expect(obtained[0]?.transcript.id).not.toBe(before.transcript.id)
  expect(await worker.ctx.db.prisma.transcript.count()).toBe(2)
})

test('a refresh that is requested while the video is being fetched fetches again', async () => {
  let refreshing: Promise<unknown> | undefined
  let clock: jest.Spied<typeof performance.now> | undefined
  worker.stubs.beforeVideo = async () => {
    if (refreshing) return
    const job = await worker.submit({ videoId: 'same-video5', forceRefresh: true })
    refreshing = obtain(job)
    // The fetch now seems to have begun a minute ago, which is before the request on a busy machine too.
    const now = performance.now.bind(performance)
    clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  }
  try {
    await obtain(await worker.submit({ videoId: 'same-video5' }))
    await refreshing
  } finally {
    clock?.mockRestore()
  }
  expect(worker.stubs).toMatchObject({ videos: ['same-video5', 'same-video5'], captions: ['.en', '.en'] })
})

test('a language without captions causes a warning that names the language used instead', async () => {
  const { transcript, warnings, selectionReason } = await obtain(await worker.submit({}, { language: 'ja' }))
  expect(transcript.track.language).toBe('en')
  expect(warnings).toEqual([{ code: 'LANGUAGE_NOT_AVAILABLE', message: expect.stringContaining('`ja`') }])
  expect(selectionReason).toBe('manual_spoken_language')
  const exact = await obtain(await worker.submit({}, { language: 'de' }))
  expect([exact.warnings, exact.selectionReason]).toEqual([[], 'manual_exact_language'])
})

describe('a track that cannot be used', () => {
  const spoil = (faults: Record<string, TrackFault>): void => {
    const { source } = worker.ctx
    worker.ctx.source = {
      ...source,
      async fetchVideo(...request) {
        const video = await source.fetchVideo(...request)
        return {
          ...video,
          async fetchTranscript(track) {
            const transcript = await video.fetchTranscript(track)
            const fault = faults[track.key]
            if (fault) throw new UnusableTrackError(fault, 'TRANSCRIPT_UNAVAILABLE', { message: `Not ${track.key}.` })
            return transcript
          },
        }
      },
    }
  }
  const warned = [{ code: 'TRACK_WITHOUT_SPEECH', message: expect.stringContaining('`en`') }]

  test('is passed over with a warning, also by later jobs, which need not ask the platform again', async () => {
    spoil({ '.en': 'no_speech' })
    for (const job of await many(2, { videoId: 'same-video10' })) {
      const { transcript, warnings, selectionReason } = await obtain(job)
      expect(transcript.track.key).toBe('.de')
      expect(warnings).toMatchObject([...warned, { code: 'NOT_IN_SPOKEN_LANGUAGE' }])
      expect(selectionReason).toBe('manual_first')
    }
    expect(worker.stubs).toMatchObject({ videos: ['same-video10'], captions: ['.en', '.de'] })
  })

  test('is asked for again by later jobs if the platform sent nothing', async () => {
    spoil({ '.en': 'withheld' })
    for (const job of await many(2, { videoId: 'same-video11' })) {
      expect((await obtain(job)).warnings).toMatchObject([...warned, { code: 'NOT_IN_SPOKEN_LANGUAGE' }])
    }
    // The other track is read from the store.
    expect(worker.stubs.captions).toEqual(['.en', '.de', '.en'])
  })

  test('ends the job with its reason if no other can be used either', async () => {
    spoil({ '.en': 'no_speech', '.de': 'no_speech' })
    await expect(obtain(await worker.submit())).rejects.toMatchObject({ message: 'Not .en.' })
    expect(worker.stubs.captions).toEqual(['.en', '.de'])
  })
})

test('concurrent jobs share one refusal, and their next attempts share one request', async () => {
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

test('an internal error fails only the job that met it, and the next job tries again', async () => {
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

test('concurrent jobs share the answer that there are no captions, and a later job asks again', async () => {
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

test('a worker that was delayed uses the transcript that another one stored meanwhile', async () => {
  const [held, other] = (await many(2, { videoId: 'same-video6' })) as [Job, Job]
  let stored: string | undefined
  const { source } = worker.ctx
  const overtake = async () => {
    worker.ctx.source = source
    // The lease for fetching the video has expired.
    await worker.ctx.db.query("UPDATE leases SET until = now() - interval '1 s'")
    stored = (await obtain(other)).transcript.id
  }
  worker.ctx.source = {
    ...source,
    async fetchVideo(...request) {
      const video = await source.fetchVideo(...request)
      const fetchTranscript: typeof video.fetchTranscript = async (track) => {
        const transcript = await video.fetchTranscript(track)
        await overtake()
        return transcript
      }
      return { ...video, fetchTranscript }
    },
  }
  expect((await obtain(held)).transcript.id).toBe(stored)
  expect(await worker.ctx.db.prisma.transcript.count()).toBe(1)
})

test('the time of publication is fetched once, together with the captions, and stored', async () => {
  const { source } = worker.ctx
  let asked = 0
  worker.ctx.source = {
    ...source,
    fetchVideo: async (...request) => ({
      ...(await source.fetchVideo(...request)),
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
