import { once } from 'node:events'
import { connect } from 'node:net'
import { type ErrorBody, type ErrorCode, ErrorEnvelope } from '@subtext/contracts'
import type { RunningServer } from '../server.ts'
import { useTestApi } from '../testing/api.ts'
import { refuseUnreadable } from './unreadable-requests.ts'

const api = useTestApi()
let server: RunningServer
const lines: unknown[] = []

beforeAll(async () => {
  const log = { ...api.context.log, info: (message: string) => lines.push(message) }
  server = await api.serve(api.app, { renderRefusal: refuseUnreadable({ ...api.context, log }) })
})

/** Sends text as it is. Returns what was received until the server closed the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece
  })
  socket.on('error', () => {}) // a reset after the refusal
  socket.write(text)
  await once(socket, 'close')
  return received
}

interface Refusal {
  status: number
  headers: Record<string, string>
  body: { error: ErrorBody }
}

async function refusalOf(text: string): Promise<Refusal> {
  const [head = '', json = ''] = (await send(text)).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(json))
  const body = ErrorEnvelope.parse(JSON.parse(json))
  expect(headers['x-request-id']).toBe(body.meta.request_id)
  return { status: Number(statusLine.split(' ')[1]), headers, body }
}

const START = 'POST /api/v1/videos/process HTTP/1.1\r\nHost: x\r\n'

test.each<[string, string, number, ErrorCode]>([
  ['text that is not HTTP', 'NONSENSE\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00', 400, 'VALIDATION_ERROR'],
  ['an unknown HTTP version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'VALIDATION_ERROR'],
  [
    'two contradicting body lengths',
    `${START}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    400,
    'VALIDATION_ERROR',
  ],
  ['a line feed in a header', `${START}X-A: a\nb\r\n\r\n`, 400, 'VALIDATION_ERROR'],
  ['a missing Host header', 'GET /api/v1/openapi.json HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['two Host headers', 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['headers that are too large', `${START}X-Large: ${'a'.repeat(100_000)}\r\n\r\n`, 431, 'PAYLOAD_TOO_LARGE'],
  ['a path that is too large', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`, 431, 'PAYLOAD_TOO_LARGE'],
])('refuses %s in the envelope, counts it and closes the connection', async (_, text, status, code) => {
  const refusal = await refusalOf(text)
  expect(refusal).toBeRefused(status, code)
  const { message, details } = refusal.body.error
  if (status === 400) expect(details).toEqual({ issues: [{ path: '', message, code: 'malformed' }] })
  expect(refusal.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-used': expect.stringMatching(/^[1-9]\d*$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
})

test('refuses headers that never end, bodies that never arrive and silence as too slow', async () => {
  const refusals = await Promise.all([
    refusalOf('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    refusalOf(
      `${START}Content-Type: application/json\r\nX-API-Key: ${await api.createKey()}\r\nContent-Length: 10\r\n\r\n{`,
    ),
    refusalOf(''),
  ])
  for (const refusal of refusals) {
    expect(refusal).toBeRefused(408, 'VALIDATION_ERROR')
    expect(refusal.body.error.retryable).toBe(true)
    expect(refusal.headers.connection).toBe('close')
  }
})

test('ignores an unknown expectation', async () => {
  const received = await send('GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1\.1 404 .*"NOT_FOUND"/s)
})

test('sends a single response when garbage follows a request', async () => {
  const received = await send('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1\.1 4/)
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('logs unreadable requests', () => {
  expect(lines).toContain('unreadable request')
})
