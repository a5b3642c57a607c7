import { playing, spoken, startTestPlatform, VIDEO_ID } from '../testing/platform.ts'
import { PATIENT } from '../testing/source.ts'
import { createYoutubeSource } from '../youtube-source.ts'
import { observeRequests } from './observe-requests.ts'

test('reports every request to what has caused it, and to nothing else', async () => {
  const site = await startTestPlatform({
    player: () => ({ ...playing(), microformat: undefined }),
    captions: (_, nth) => (nth === 1 ? 503 : spoken('Water turns the wheel.')),
  })
  const videos = createYoutubeSource({ origin: site.origin, proxyUrls: [], ...PATIENT })
  const options = { useProxy: null, signal: new AbortController().signal }
  const counts = [0, 0]
  const fetchAs = (nth: number) =>
    observeRequests(
      () => {
        counts[nth] = (counts[nth] ?? 0) + 1
      },
      async () => {
        const video = await videos.fetchVideo(VIDEO_ID, options)
        await video.fetchPublishedAt?.()
        const [track] = video.tracks
        if (track) await video.fetchTranscript(track)
      },
    )
  await fetchAs(0)
  const first = site.seen.length
  await Promise.all([fetchAs(1), videos.fetchVideo(VIDEO_ID, options)])
  expect(counts).toEqual([first, site.seen.length - first - 1])
  expect(first).toBeGreaterThan(3)
  await site.close()
})
