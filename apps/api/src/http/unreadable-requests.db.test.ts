import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorBody, ErrorEnvelope } from '@subtext/contracts'
import { listen, type RunningServer } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { refuseUnreadable } from './unreadable-requests.ts'

let api: TestApi
let server: RunningServer
const lines: unknown[] = []

beforeAll(async () => {
  api = await openTestApi()
  const log = { ...api.context.log, info: (message: string) => lines.push(message) }
  server = await listen(api.app, 0, '127.0.0.1', refuseUnreadable({ ...api.context, log }))
})
afterAll(async () => {
  await server.drain(0)
  await api.close()
})

/** Sends bytes as they are, and returns what came back when the server has closed the connection. */
async function send(text: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    received += piece
  })
  socket.on('error', () => {}) // a reset after the answer
  socket.write(text)
  const closed = await Promise.race([once(socket, 'close').then(() => true), sleep(20_000, false, { ref: false })])
  socket.destroy()
  expect(closed).toBe(true)
  return received
}

interface Refusal {
  status: number
  headers: Record<string, string>
  error: ErrorBody
}

async function refusalOf(text: string): Promise<Refusal> {
  const [head = '', body = ''] = (await send(text)).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
  const { error, meta } = ErrorEnvelope.parse(JSON.parse(body))
  expect(headers['x-request-id']).toBe(meta.request_id)
  return { status: Number(statusLine.split(' ')[1]), headers, error }
}

const START = 'POST /api/v1/videos/process HTTP/1.1\r\nHost: x\r\n'

test.each<[string, string, number, string]>([
  ['no HTTP at all', 'NONSENSE\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['TLS on the plain port', '\x16\x03\x01\x02\x00\x01\x00', 400, 'VALIDATION_ERROR'],
  ['a version that is none', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['two lengths of a body', `${START}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'VALIDATION_ERROR'],
  ['a line feed in a header', `${START}X-A: a\nb\r\n\r\n`, 400, 'VALIDATION_ERROR'],
  ['no host', 'GET /api/v1/openapi.json HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['two hosts', 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'VALIDATION_ERROR'],
  ['headers that are too large', `${START}X-Large: ${'a'.repeat(100_000)}\r\n\r\n`, 431, 'PAYLOAD_TOO_LARGE'],
  ['a path that is too large', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`, 431, 'PAYLOAD_TOO_LARGE'],
])('%s is answered in the envelope, counted and cut', async (_, text, status, code) => {
  const answer = await refusalOf(text)
  expect([answer.status, answer.error.code]).toEqual([status, code])
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    'x-ratelimit-limit': '1000000',
    'x-ratelimit-used': expect.stringMatching(/^[1-9]\d*$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
})

test('headers that never end, a body that never comes and silence are told so and cut', async () => {
  const answers = await Promise.all([
    refusalOf('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    refusalOf(
      `${START}Content-Type: application/json\r\nX-API-Key: ${await api.createKey()}\r\nContent-Length: 10\r\n\r\n{`,
    ),
    refusalOf(''),
  ])
  for (const answer of answers) {
    expect([answer.status, answer.error.code, answer.error.retryable]).toEqual([408, 'VALIDATION_ERROR', true])
    expect(answer.headers.connection).toBe('close')
  }
}, 40_000)

test('an expectation nobody knows is ignored', async () => {
  const received = await send('GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1\.1 404 .*"NOT_FOUND"/s)
})

test('one answer is sent, whatever comes after a request', async () => {
  const received = await send('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n')
  expect(received).toMatch(/^HTTP\/1\.1 4/)
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1)
})

test('it is written down', () => {
  expect(lines).toContain('unreadable request')
})
