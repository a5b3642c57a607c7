import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { createDownloader } from './download.ts'

const { signal } = new AbortController()
const OPTIONS = { maxBytes: 1_000, signal }
const servers: Server[] = []
afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const open = createDownloader({ allowPrivate: true })

test.each([
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['', (text: string) => Buffer.from(text)],
  // A packed file that is sent as it is.
  ['', gzipSync],
])('unpacks a body with the encoding %j', async (encoding, pack) => {
  const url = await serve((_, response) =>
    response
      .writeHead(200, { 'Content-Encoding': encoding, 'Content-Type': 'text/xml; charset=latin1' })
      .end(pack('<rss/>')),
  )
  expect(await open(url, OPTIONS)).toEqual({ url, body: Buffer.from('<rss/>'), charset: 'latin1' })
})

test('refuses more bytes than allowed, also if they are packed', async () => {
  const large = Buffer.alloc(1_001, 32)
  for (const [encoding, body] of [
    ['identity', large],
    ['gzip', gzipSync(large)],
  ] as const) {
    const url = await serve((_, response) => response.writeHead(200, { 'Content-Encoding': encoding }).end(body))
    await expect(open(url, OPTIONS)).rejects.toMatchObject({ problem: 'too_large' })
  }
})

test('follows redirects, and says where it found the document', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(308, { Location: '/new?x#y' }).end()
    else response.end('found')
  })
  expect(await open(`${url}/old`, OPTIONS)).toMatchObject({ url: `${url}/new?x`, body: Buffer.from('found') })
})

test('ends a chain of redirects that does not end', async () => {
  let asked = 0
  const url = await serve((_, response) => response.writeHead(302, { Location: `/${++asked}` }).end())
  await expect(open(url, OPTIONS)).rejects.toMatchObject({ problem: 404 })
  expect(asked).toBeLessThan(10)
})

test.each([401, 404, 503])('says that a server answered with %i', async (status) => {
  const url = await serve((_, response) => response.writeHead(status).end())
  await expect(open(url, OPTIONS)).rejects.toMatchObject({ problem: status })
})

test('says that a server broke off or cannot be reached', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' }).write('<rss')
    setTimeout(() => response.destroy(), 20)
  })
  await expect(open(url, OPTIONS)).rejects.toMatchObject({ problem: 'unreachable' })
  await expect(open('http://127.0.0.1:1/', OPTIONS)).rejects.toMatchObject({ problem: 'unreachable' })
})

describe('with the guard', () => {
  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'file:///etc/passwd',
    'http://u:p@example.org/',
  ])('does not connect to %s', async (url) => {
    await expect(createDownloader({ allowPrivate: false })(url, OPTIONS)).rejects.toMatchObject({ problem: 'refused' })
  })

  test('connects only to addresses that it has checked, whatever a name resolves to', async () => {
    let asked = 0
    const url = await serve((_, response) => {
      asked++
      response.end('secret')
    })
    const named = url.replace('127.0.0.1', 'feeds.example.org')
    const resolve = async () => ['93.184.216.34', '127.0.0.1']
    const guarded = createDownloader({ allowPrivate: false, resolve })
    await expect(guarded(named, OPTIONS)).rejects.toMatchObject({ problem: 'refused' })
    expect(asked).toBe(0)
  })
})
