import { playing, startTestPlatform, type TestPlatform, VIDEO_ID, withoutCaptions } from './testing/platform.ts'
import { openTestSource, PATIENT } from './testing/source.ts'

let site: TestPlatform
afterEach(() => site.close())

const fetching = () => ({ useProxy: null, signal: new AbortController().signal })
const asked = () => site.seen.filter(({ client }) => client !== '').map(({ client }) => client)

test.each([1, 2])('a video has no captions if all of %i configured apps say so', async (count) => {
  site = await startTestPlatform({ player: () => withoutCaptions() })
  const { source } = openTestSource(site.origin, { clients: PATIENT.clients.slice(0, count) })
  await expect(source.fetchVideo(VIDEO_ID, fetching())).rejects.toMatchObject({
    code: 'TRANSCRIPT_UNAVAILABLE',
    details: { reason: 'no_captions' },
    retryable: false,
  })
  expect(asked()).toHaveLength(count)
})

test.each([
  [undefined, ['ANDROID']],
  ['de', ['ANDROID', 'VISIONOS']],
  ['en-GB', ['ANDROID']],
])('with the language %s requested, the apps %j are asked for the tracks', async (language, apps) => {
  site = await startTestPlatform({ player: () => playing() })
  await openTestSource(site.origin, {}).source.fetchVideo(VIDEO_ID, { ...fetching(), language })
  expect(asked()).toEqual(apps)
})
