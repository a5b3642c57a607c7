import { SAMPLE_VIDEOS, startVideoPlatform, type VideoPlatform } from '@subtext/fakes'
import { createThumbnailFetcher } from './fetch-thumbnail.ts'
import type { PlatformFetch } from './session/dispatch-request.ts'

const ID = SAMPLE_VIDEOS.english.id
const never = new AbortController().signal

/** Responds to every request with this. */
const responding =
  (response: Partial<Awaited<ReturnType<PlatformFetch>>>): PlatformFetch =>
  async () => ({ status: 200, headers: [['content-type', 'image/jpeg']], body: null, ...response })

async function* pieces(count: number, bytes: number) {
  for (let index = 0; index < count; index++) yield new Uint8Array(bytes)
}

describe('a picture of a video', () => {
  let platform: VideoPlatform
  beforeAll(async () => {
    platform = await startVideoPlatform()
  })
  afterAll(() => platform.close())

  test('is fetched from the image host', async () => {
    const picture = await createThumbnailFetcher({ origin: platform.origin, timeoutMs: 60_000 })(ID, never)
    expect(
      Buffer.from(picture ?? [])
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(platform.requests).toMatchObject([{ kind: 'image', host: 'i.ytimg.com', videoId: ID, method: 'GET' }])
  })

  test.each<[string, PlatformFetch]>([
    ['does not exist', responding({ status: 404, body: pieces(1, 10) })],
    ['is elsewhere', responding({ status: 302, headers: [['location', 'http://127.0.0.1/']] })],
    ['is a page', responding({ headers: [['content-type', 'text/html']], body: pieces(1, 10) })],
    ['is empty', responding({ body: pieces(1, 0) })],
    ['has no body', responding({})],
    ['has no type', responding({ headers: [], body: pieces(1, 10) })],
    ['is too large', responding({ body: pieces(1_000, 1_024) })],
    ['is not reachable', () => Promise.reject(new Error('ECONNREFUSED'))],
  ])('is left out if it %s', async (_, fetch) => {
    expect(await createThumbnailFetcher({ fetch })(ID, never)).toBeNull()
  })

  test('is left out if the job ends first', async () => {
    const job = new AbortController()
    const fetch: PlatformFetch = (_url, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const fetching = createThumbnailFetcher({ fetch })(ID, job.signal)
    job.abort()
    expect(await fetching).toBeNull()
  })

  test('has an address on the image host, whatever the ID of the video', async () => {
    const asked: string[] = []
    const fetch: PlatformFetch = async (url) => {
      asked.push(url.href)
      return { status: 404, headers: [], body: null }
    }
    for (const id of ['../../x', '//evil.example/', '?a=b#c', 'a@b']) await createThumbnailFetcher({ fetch })(id, never)
    for (const url of asked) expect(url).toMatch(/^https:\/\/i\.ytimg\.com\/vi\/[^/]+\/hqdefault\.jpg$/)
    expect(asked).toHaveLength(4)
  })
})
