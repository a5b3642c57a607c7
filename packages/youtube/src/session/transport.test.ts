import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { createSend, decodeBody } from './transport.ts'

let server: Server
afterEach(async () => {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
})

const send = async (listener: RequestListener, method = 'GET', url = 'https://www.youtube.com/start?a=1') => {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const body = await createSend({ origin })({
    url: new URL(url),
    method,
    headers: new Headers({ 'x-test': 'yes' }),
    dispatcher: undefined,
    signal: undefined,
    timeoutMs: 50_000,
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
