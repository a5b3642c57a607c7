import { listReportedCases, readReportedJson } from '@subtext/captions/testing'
import { type ScriptedReply, startTestPlatform, type TestPlatform, VIDEO_ID } from './testing/platform.ts'
import { PATIENT } from './testing/source.ts'
import { createYoutubeSource } from './youtube-source.ts'

let site: TestPlatform
afterEach(() => site.close())

/** A page with three comments and the token of another one. */
const readFirstPage = (): object => {
  const [, one] = listReportedCases('comments').find(([id]) => id === 'comments-second-page-without-items') ?? []
  if (!one) throw new Error('The case is missing.')
  return readReportedJson<{ pages: [object] }>(one).pages[0]
}
const fetchTexts = async (comments: (nth: number) => ScriptedReply) => {
  site = await startTestPlatform({ player: () => 404, comments })
  const source = createYoutubeSource({ origin: site.origin, proxyUrls: [], ...PATIENT })
  const fetching = { useProxy: null, signal: new AbortController().signal }
  return (await source.fetchComments(VIDEO_ID, fetching)).map(({ text }) => text)
}

test.each<[string, ScriptedReply]>([
  ['refused', 429],
  ['broken', 500],
  ['not JSON', '<'],
  ['of unknown form', { onResponseReceivedEndpoints: { item: 1 }, frameworkUpdates: [] }],
])('comments are kept when a later page is %s', async (_, later) => {
  const texts = await fetchTexts((nth) => (nth === 1 ? readFirstPage() : later))
  expect(texts).toEqual(['Thought number 1', 'Thought number 2', 'Thought number 3'])
})

test('a platform that names a next page forever is asked for five', async () => {
  expect(await fetchTexts(readFirstPage)).toHaveLength(15)
  expect(site.seen.filter(({ path }) => path === '/youtubei/v1/next')).toHaveLength(5)
})
