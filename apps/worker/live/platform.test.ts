import { createHttpTokenProvider, createYoutubeSource, describeCanary, runCanary } from '@subtext/youtube'
import { readPlatformEnv } from '../src/env.ts'
import { liveVideoId } from './env.ts'

const { YOUTUBE_ORIGIN, PROXY_URLS = [], YOUTUBE_CLIENTS, PO_TOKEN_ORIGIN } = readPlatformEnv()
const settings = {
  videoId: liveVideoId(),
  origin: YOUTUBE_ORIGIN,
  proxyUrls: PROXY_URLS,
  clients: YOUTUBE_CLIENTS,
  tokens: PO_TOKEN_ORIGIN ? createHttpTokenProvider(PO_TOKEN_ORIGIN) : undefined,
}
const origin = YOUTUBE_ORIGIN ?? 'https://www.youtube.com'
const isReachable =
  PROXY_URLS.length > 0 ||
  (await fetch(new URL('/sw.js_data', origin), { redirect: 'manual', signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  ))
if (!isReachable) process.stderr.write(`${origin} is not reachable: the live tests are skipped.\n`)
const whereReachable = isReachable ? test : test.skip

const source = createYoutubeSource(settings)
const fetchOptions = () => ({ useProxy: null, signal: AbortSignal.timeout(60_000) })

whereReachable('at least one client gets captions through every egress', async () => {
  const report = await runCanary(settings)
  process.stderr.write(`${describeCanary(report)}\n`)
  expect(report.works).toBe(true)
})

whereReachable('a video has information and tracks, and its captions are text in order of time', async () => {
  const { info, tracks, fetchTranscript } = await source.fetchVideo(settings.videoId, fetchOptions())
  expect(info.title).not.toBe('')
  expect(info.duration_seconds).toBeGreaterThan(0)
  expect(info.available_tracks).toHaveLength(tracks.length)
  const [track] = tracks
  if (!track) throw new Error('The video has no track.')
  const { cues } = await fetchTranscript(track)
  const starts = cues.map(({ startMs }) => startMs)
  expect(starts).toEqual(starts.toSorted((a, b) => a - b))
  for (const { text } of cues) expect(text).not.toMatch(/<\/?\w|&(?:amp|#39);|\n/)
})

whereReachable('a video that never existed is reported as VIDEO_UNAVAILABLE', async () => {
  await expect(source.fetchVideo('aaaaaaaaaaa', fetchOptions())).rejects.toMatchObject({ code: 'VIDEO_UNAVAILABLE' })
})

whereReachable('comments have an author and a text', async () => {
  for (const { author, text } of await source.fetchComments(settings.videoId, fetchOptions())) {
    expect(author).not.toBe('')
    expect(text).not.toBe('')
  }
})
