import type { ErrorCode } from '@subtext/contracts'
import { SAMPLE_TALKS, SAMPLES } from '@subtext/sample-platform'
import { clientList, DEFAULT_CLIENTS } from '../clients.ts'
import { EgressesRestingError } from '../platform-errors.ts'
import type { VideoSource } from '../video-source.ts'
import { withSampleVideos } from './with-sample-videos.ts'

/** Every error that a video can cause, with its reasons. `captions_disabled` is reported as `no_captions` by the platform. */
const FAILURES: [ErrorCode, ...string[]][] = [
  ['TRANSCRIPT_UNAVAILABLE', 'no_captions', 'private', 'not_yet_captioned', 'unreadable'],
  ['VIDEO_UNAVAILABLE'],
  ['AGE_RESTRICTED'],
  ['LIVE_NOT_ENDED', 'upcoming', 'live', 'offline'],
  ['GEO_BLOCKED'],
  ['VIDEO_NOT_ACCESSIBLE', 'members', 'payment'],
  ['UPSTREAM_BLOCKED'],
  ['UPSTREAM_UNAVAILABLE'],
]

const asked: string[] = []
const platform: VideoSource = {
  async fetchVideo(videoId) {
    asked.push(videoId)
    throw new Error('asked the platform')
  },
  async fetchComments(videoId) {
    asked.push(videoId)
    return []
  },
}
const source = withSampleVideos(platform, { clients: clientList.parse(DEFAULT_CLIENTS) })
const signal = new AbortController().signal

const fetchFirst = async (videoId: string, useProxy: boolean | null = null) => {
  const video = await source.fetchVideo(videoId, { signal, useProxy })
  const [track] = video.tracks
  if (!track) throw new Error('The video has no tracks.')
  return { video, ...(await video.fetchTranscript(track)) }
}

beforeEach(() => {
  asked.length = 0
})

const succeeding = SAMPLES.filter(({ error }) => !error)
const failing = SAMPLES.flatMap(({ id, error }) => (error ? [[id, error] as const] : []))

test.each(succeeding)('serves the talk $id without asking the platform', async ({ id, title, language }) => {
  const { video, cues } = await fetchFirst(id)
  expect([video.info.title, asked]).toEqual([title, []])
  expect(video.tracks.map((track) => track.language.split('-')[0])).toContain(language.split('-')[0])
  expect(cues.length).toBeGreaterThan(20)
})

test.each(failing)('fails for %s as the list of samples says: %j', async (id, { code, reason }) => {
  const error: unknown = await fetchFirst(id).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ code, ...(reason && { details: { reason } }) })
  expect([error instanceof EgressesRestingError, asked]).toEqual([false, []])
})

test('has a sample of every error that a video can cause, for every reason', () => {
  const shown = new Set(failing.map(([, { code, reason }]) => [code, reason].filter(Boolean).join(' ')))
  const expected = FAILURES.flatMap(([code, ...reasons]) =>
    reasons.length > 0 ? reasons.map((reason) => `${code} ${reason}`) : [code],
  )
  expect([...shown].sort()).toEqual(expected.sort())
})

test('serves other samples while one is refused, and does not need proxies', async () => {
  const blocked = failing.find(([, { code }]) => code === 'UPSTREAM_BLOCKED')?.[0] ?? ''
  for (let time = 0; time < 3; time++) {
    await expect(fetchFirst(blocked)).rejects.toMatchObject({ code: 'UPSTREAM_BLOCKED', retryable: true })
    expect((await fetchFirst(SAMPLE_TALKS.german.id, true)).cues.length).toBeGreaterThan(20)
  }
})

test('serves the comments of a sample', async () => {
  const comments = await source.fetchComments(SAMPLE_TALKS.english.id, { signal, useProxy: null })
  expect(comments).toHaveLength(7)
  expect(asked).toEqual([])
})

test('asks the platform for every other video, also if its ID contains the prefix', async () => {
  await expect(fetchFirst('xsbtx-en-ma')).rejects.toThrow('asked the platform')
  await source.fetchComments('dQw4w9WgXcQ', { signal, useProxy: null })
  expect(asked).toEqual(['xsbtx-en-ma', 'dQw4w9WgXcQ'])
})

test('stops when the job does', async () => {
  await expect(
    source.fetchVideo(SAMPLE_TALKS.english.id, { signal: AbortSignal.abort(new Error('over')), useProxy: null }),
  ).rejects.toThrow('over')
})
