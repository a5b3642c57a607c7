import { selectRequestedTrack } from '@subtext/captions'
import { listReportedCases, readReportedJson } from '@subtext/captions/testing'
import type { CaptionTrack } from '@subtext/contracts'
import { UnusableTrackError } from './platform-errors.ts'
import { classifyPlayability } from './refusals/classify-playability.ts'
import { toServiceError } from './refusals/refusal.ts'
import { startTestPlatform, type TestPlatform, VIDEO_ID } from './testing/platform.ts'
import { PATIENT } from './testing/source.ts'
import { parsePlayerResponse } from './video/player-response.ts'
import { createYoutubeSource } from './youtube-source.ts'

interface ExpectedRefusal {
  code?: string
  notcode?: string
  reason?: string
  retryable?: boolean
  next?: string[]
}

test.each(listReportedCases<ExpectedRefusal>('classify'))('a refusal is understood: %s', (_, one) => {
  const { code, notcode, reason, retryable, next } = one.expected
  const refusal = classifyPlayability(parsePlayerResponse(readReportedJson(one)))
  const error = refusal && toServiceError(refusal)
  expect(error?.code).toBe(code ?? error?.code)
  expect(error?.code).not.toBe(notcode ?? 'none')
  expect(error?.details).toEqual(reason ? { reason } : error?.details)
  expect(error?.retryable).toBe(retryable ?? error?.retryable)
  expect(next ?? [refusal?.next]).toContain(refusal?.next)
})

let site: TestPlatform | undefined
afterEach(async () => {
  await site?.close()
  site = undefined
})
const fetching = () => ({ useProxy: null, signal: new AbortController().signal })

interface JobInput {
  /** By client; `*` for the others. */
  players: Record<string, object>
  /** By key of the track. */
  captions: Record<string, object | string>
}

/** Fetches the text of the best track that can be used, as a job does. */
const fetchBestText = async (origin: string): Promise<string> => {
  const video = await createYoutubeSource({ origin, proxyUrls: [], ...PATIENT }).fetchVideo(VIDEO_ID, fetching())
  let tracks: CaptionTrack[] = video.tracks
  for (;;) {
    const { track } = selectRequestedTrack({}, { info: video.info, tracks })
    try {
      return (await video.fetchTranscript(track)).cues.map(({ text }) => text).join(' ')
    } catch (error) {
      if (!(error instanceof UnusableTrackError) || track.fault) throw error
      tracks = tracks.map((other) => (other.key === track.key ? { ...other, fault: error.fault } : other))
    }
  }
}

test.each(listReportedCases<{ text?: string }>('job'))('a job gets its transcript: %s', async (_, one) => {
  const { players, captions } = readReportedJson<JobInput>(one)
  site = await startTestPlatform({
    player: ({ client }) => players[client.toUpperCase()] ?? players['*'] ?? 404,
    captions: ({ query }) => captions[`${query.get('kind') === 'asr' ? 'a' : ''}.${query.get('lang')}`] ?? 404,
  })
  const text = await fetchBestText(site.origin)
  expect(text).toBe(one.expected.text ?? text)
  expect(text).not.toBe('')
})

interface ExpectedComments {
  texts?: string[]
  atleast?: string[]
}

test.each(listReportedCases<ExpectedComments>('comments'))('comments are read: %s', async (_, one) => {
  const { pages } = readReportedJson<{ pages: object[] }>(one)
  site = await startTestPlatform({ player: () => 404, comments: (nth) => pages[nth - 1] ?? 404 })
  const source = createYoutubeSource({ origin: site.origin, proxyUrls: [], ...PATIENT })
  const texts = (await source.fetchComments(VIDEO_ID, fetching())).map(({ text }) => text)
  expect(texts).toEqual(one.expected.texts ?? texts)
  expect(texts).toEqual(expect.arrayContaining(one.expected.atleast ?? []))
})
