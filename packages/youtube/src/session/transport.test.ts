import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createSend, decodeBody } from './transport.ts'

let server: Server
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

const send = async (
  listener: RequestListener,
  method = 'GET',
  url = 'https://www.youtube.com/start?a=1',
  options: { body?: string; signal?: AbortSignal; timeoutMs?: number } = {},
) => {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = await createSend({ origin })({
    url: new URL(url),
    method,
    headers: { 'x-test': 'yes' },
    dispatcher: undefined,
    signal: undefined,
    timeoutMs: 50_000,
    ...options,
  })
  return decodeBody(body)
}

const PACKED = gzipSync(Buffer.alloc(80 * 1024 * 1024))
const refusal = (code: string, cause: string) => ({ refusal: expect.objectContaining({ code, cause }) })

test('sends every request to the origin and names the intended host', async () => {
  const text = await send((request, response) => {
    response.end([request.url, request.headers['x-forwarded-host'], request.headers['x-test']].join(' '))
  })
  expect(text).toBe('/start?a=1 www.youtube.com yes')
})

test('follows redirects within the platform', async () => {
  const text = await send((request, response) => {
    if (request.url?.startsWith('/start')) response.writeHead(302, { location: 'https://m.youtube.com/end' }).end()
    else response.end(`${request.url} ${request.headers['x-forwarded-host']}`)
  })
  expect(text).toBe('/end m.youtube.com')
})

test.each([
  ['to another host', 'GET', 'https://evil.example/'],
  ['to an internal address', 'GET', 'http://169.254.169.254/'],
  ['of a POST request', 'POST', 'https://www.youtube.com/other'],
  ['loop', 'GET', '/start'],
])('does not follow a redirect: %s', async (_, method, location) => {
  let requests = 0
  const sent = send((_request, response) => {
    requests++
    response.writeHead(307, { location }).end()
  }, method)
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_BLOCKED', 'http_307'))
  expect(requests).toBeLessThan(6)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
])('asks for and decodes a body compressed with %s', async (encoding, compress) => {
  const text = 'A wheel turns. '.repeat(50_000)
  let accepted = ''
  const received = await send((request, response) => {
    accepted = String(request.headers['accept-encoding'])
    response.writeHead(200, { 'content-encoding': encoding.toUpperCase() }).end(compress(text))
  })
  expect(accepted.split(', ')).toContain(encoding)
  expect(received).toBe(text)
})

test('returns an empty body, even if it is said to be compressed', async () => {
  expect(await send((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end())).toBe('')
})

test.each([
  ['gzip', PACKED.subarray(0, 1_000)],
  ['br', Buffer.from('<html></html>')],
  ['compress', Buffer.from('{}')],
])('treats a body that cannot be decoded from %s as a temporary failure', async (encoding, body) => {
  const sent = send((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_UNAVAILABLE', 'network'))
})

test('sends a body with its length', async () => {
  const body = JSON.stringify({ title: 'Über Mühlen' })
  const text = await send(
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      response.end(`${request.headers['content-length']} ${Buffer.concat(chunks)}`)
    },
    'POST',
    undefined,
    { body },
  )
  expect(text).toBe(`${Buffer.byteLength(body)} ${body}`)
})

test.each<[string, RequestListener]>([
  ['no reply comes', () => undefined],
  ['a reply does not end', (_, response) => void response.writeHead(200).write('{')],
])('closes the connection when %s in time', async (_, listener) => {
  let closed: Promise<unknown> | undefined
  const sent = send(
    (request, response) => {
      closed = once(request.socket, 'close')
      listener(request, response)
    },
    'GET',
    undefined,
    { timeoutMs: 500 },
  )
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_UNAVAILABLE', 'timeout'))
  await closed
})

test("throws the reason of the job's signal and closes the connection", async () => {
  const job = new AbortController()
  const reason = new Error('The job was canceled.')
  let closed: Promise<unknown> | undefined
  const sent = send(
    (request) => {
      closed = once(request.socket, 'close')
      job.abort(reason)
    },
    'GET',
    undefined,
    { signal: job.signal },
  )
  await expect(sent).rejects.toBe(reason)
  await closed
})

test('sends nothing for a job that has already ended', async () => {
  let requests = 0
  const reason = new Error('The job was canceled.')
  const sent = send(() => void requests++, 'GET', undefined, { signal: AbortSignal.abort(reason) })
  await expect(sent).rejects.toBe(reason)
  expect(requests).toBe(0)
})

test('stops reading a body that is too large, even if its compressed form is small', async () => {
  const sent = send((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(PACKED))
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_UNAVAILABLE', 'too_large'))
})

test('classifies an error by its status even if its body is too large', async () => {
  const sent = send((_, response) => response.writeHead(429, { 'content-encoding': 'gzip' }).end(PACKED))
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_BLOCKED', 'http_429'))
})

test.each([
  ['70', 70],
  ['999999', 3600],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ['soon', undefined],
])('limits the retry time of a rate limit: %s', async (retryAfter, retryAfterSeconds) => {
  const sent = send((_, response) => response.writeHead(429, { 'retry-after': retryAfter }).end())
  await expect(sent).rejects.toMatchObject({ refusal: { code: 'UPSTREAM_BLOCKED', retryAfterSeconds } })
})

test('refuses to connect to other hosts', async () => {
  const sent = send((_, response) => response.end('secret'), 'GET', 'https://evil.example/')
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_BLOCKED', 'foreign_address'))
})

test('treats a broken connection as a temporary failure', async () => {
  const sent = send((request) => request.socket.destroy())
  await expect(sent).rejects.toMatchObject(refusal('UPSTREAM_UNAVAILABLE', 'network'))
})
