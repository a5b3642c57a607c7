import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { startVideoPlatform, SAMPLE_VIDEOS as V, type VideoPlatform } from '@subtext/fakes'
import { createLargeThumbnailFinder } from './find-large-thumbnails.ts'

const PATIENT = { timeoutMs: 60_000, restMs: 0 }
const NEITHER = { standard: false, maxres: false }
const BOTH = { standard: true, maxres: true }

let platform: VideoPlatform
beforeAll(async () => {
  platform = await startVideoPlatform()
})
afterAll(() => platform.close())
beforeEach(() => platform.reset())

/** Runs `work` with the origin of an image host that replies as `listener` does. */
async function withHost<T>(listener: RequestListener, work: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

describe('createLargeThumbnailFinder', () => {
  test('asks the image host with one request per size, without fetching an image', async () => {
    const find = createLargeThumbnailFinder({ ...PATIENT, origin: platform.origin })
    expect(await find(V.english.id)).toEqual(BOTH)
    expect(await find(V.hindi.id)).toEqual(NEITHER)
    expect(await find('dQw4w9WgXcQ')).toEqual(NEITHER)
    const asked = platform.requests.map(({ method, host, url }) => `${method} ${host} ${url}`)
    expect(asked.slice(0, 2).sort()).toEqual([
      'HEAD i.ytimg.com /vi/sbtx-en-map/maxresdefault.jpg',
      'HEAD i.ytimg.com /vi/sbtx-en-map/sddefault.jpg',
    ])
    expect(asked).toHaveLength(6)
  })

  test('asks once for any number of callers at the same time', async () => {
    const release = platform.hold({ kind: 'image' })
    const find = createLargeThumbnailFinder({ ...PATIENT, origin: platform.origin })
    const all = Promise.all(Array.from({ length: 50 }, () => find(V.english.id)))
    await platform.waitForRequest({ kind: 'image' })
    release()
    expect(new Set((await all).map((found) => JSON.stringify(found)))).toEqual(new Set([JSON.stringify(BOTH)]))
    expect(platform.count({ kind: 'image' })).toBe(2)
  })

  test('does not ask about more videos at a time than it may', async () => {
    const release = platform.hold({ kind: 'image' })
    const find = createLargeThumbnailFinder({ ...PATIENT, origin: platform.origin, maxConcurrent: 1 })
    const first = find(V.english.id)
    expect(await find(V.german.id)).toBeNull()
    release()
    expect(await first).toEqual(BOTH)
    expect(await find(V.german.id)).toEqual(BOTH)
  })

  test.each<[string, RequestListener]>([
    ['an error', (_, response) => response.writeHead(500).end()],
    ['a refusal', (_, response) => response.writeHead(429).end()],
    ['a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end()],
    ['a closed connection', (request) => request.socket.destroy()],
    ['endless headers', (_, response) => response.writeHead(200, { 'x-a': 'a'.repeat(200_000) }).end()],
  ])('does not know after %s, and leaves the host alone for a while', async (_, listener) => {
    let requests = 0
    await withHost(
      (request, response) => {
        requests++
        listener(request, response)
      },
      async (origin) => {
        const find = createLargeThumbnailFinder({ ...PATIENT, restMs: 600_000, origin })
        expect(await find('dQw4w9WgXcQ')).toBeNull()
        const before = requests
        expect(await find('jNQXAC9IVRw')).toBeNull()
        expect(requests).toBe(before)
      },
    )
  })

  test('does not know after garbage or a body that does not belong to the response', async () => {
    const garbage = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n${'x'.repeat(1_000_000)}`)
    })
    await new Promise<void>((resolve) => garbage.listen(0, '127.0.0.1', resolve))
    try {
      const origin = `http://127.0.0.1:${(garbage.address() as AddressInfo).port}`
      expect(await createLargeThumbnailFinder({ ...PATIENT, origin })('dQw4w9WgXcQ')).toBeNull()
    } finally {
      garbage.close()
    }
  })

  test('gives up on a host that does not reply', async () => {
    await withHost(
      () => {},
      async (origin) => {
        expect(await createLargeThumbnailFinder({ timeoutMs: 50, origin })('dQw4w9WgXcQ')).toBeNull()
      },
    )
  })

  test('asks again after the rest', async () => {
    platform.failNext({ kind: 'image', times: 2, outcome: { status: 503 } })
    const find = createLargeThumbnailFinder({ ...PATIENT, origin: platform.origin })
    expect(await find(V.english.id)).toBeNull()
    expect(await find(V.english.id)).toEqual(BOTH)
  })
})
