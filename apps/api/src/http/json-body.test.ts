import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { buildErrorBody, buildMeta, ServiceError } from '@subtext/contracts'
import express, { type ErrorRequestHandler } from 'express'
import { listen, type RunningServer } from '../server.ts'
import '../testing/to-be-refused.ts'
import { nestsDeeperThan, readJsonBody } from './json-body.ts'

const showError: ErrorRequestHandler = (error, _request, response, _next) => {
  const refusal = error instanceof ServiceError ? error : new ServiceError('INTERNAL_ERROR', { message: String(error) })
  const meta = buildMeta('request-1', new Date(), [])
  response.status(refusal.status).json({ success: false, error: buildErrorBody(refusal, 'http://127.0.0.1'), meta })
}

const app = express()
app.post('/', async (request, response) => {
  response.json({ value: await readJsonBody(request, response) })
})
app.use(showError)

let server: RunningServer
beforeAll(async () => {
  server = await listen(app, 0, '127.0.0.1')
})
afterAll(() => server.drain(0))

interface ParsedResponse {
  status: number
  body: { value?: unknown }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends the chunks as they are, with chunked encoding if the headers contain no length, or no body if there are none. */
const post = (headers: Record<string, string | number>, ...chunks: (Buffer | string)[]): Promise<ParsedResponse> =>
  new Promise((resolve, reject) => {
    const target = { port: server.port, host: '127.0.0.1', method: 'POST', headers, agent: false }
    const sent = httpRequest(target, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) })
      })
    })
    sent.once('error', reject)
    if (chunks.length === 0) sent.useChunkedEncodingByDefault = false
    for (const chunk of chunks) sent.write(chunk)
    sent.end()
  })

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe('nestsDeeperThan', () => {
  test.each([
    ['', false],
    ['5', false],
    ['[]', false],
    ['[[]]', true],
    ['{"a":{}}', true],
    ['[{}]', true],
    ['[],[],[]', false],
    ['[1,"[[[["]', false],
    ['{"[{[{":"}]}]"}', false],
    [String.raw`["\"[[[["]`, false],
    [String.raw`["\\",[]]`, true],
    [String.raw`["\\\"[[",5]`, false],
    [String.raw`["\u005b\u005b"]`, false],
    [`["${'é日😀'.repeat(3)}[[["]`, false],
    ['["unclosed [[[[', false],
  ])('%s is nested deeper than one level: %p', (json, deeper) => {
    expect(nestsDeeperThan(Buffer.from(json), 1)).toBe(deeper)
  })

  test('allows the limit itself', () => {
    expect(nestsDeeperThan(Buffer.from(nested(20)), 20)).toBe(false)
    expect(nestsDeeperThan(Buffer.from(nested(21)), 20)).toBe(true)
  })

  test('detects hostile nesting without reading all of it', () => {
    expect(nestsDeeperThan(Buffer.from('['.repeat(5_000_000)), 20)).toBe(true)
  })
})

describe('readJsonBody', () => {
  test.each([
    ['an object', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['an array', '[1,2]', [1, 2]],
    ['a bare value', '"text"', 'text'],
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['the last of duplicate fields', '{"a":1,"a":2}', { a: 2 }],
    ['brackets and escapes within strings', String.raw`{"a":"[[[[\"{{{{\\"}`, { a: '[[[["{{{{\\' }],
    ['the deepest nesting that is allowed', nested(20), JSON.parse(nested(20))],
  ])('reads %s', async (_, json, value) => {
    expect(await post(JSON_TYPE, json)).toEqual({ status: 200, body: { value } })
  })

  test('reads a body that arrives in pieces, cut in the middle of a character', async () => {
    const bytes = Buffer.from('{"a":"日本"}')
    expect((await post(JSON_TYPE, bytes.subarray(0, 7), bytes.subarray(7))).body.value).toEqual({ a: '日本' })
  })

  test.each([
    ['nothing', ''],
    ['only spaces', '  \n'],
    ['half a value', '{"a":'],
    ['two values', '{}{}'],
    ['a comment', '{} // x'],
    ['a number that JSON does not have', '{"a":NaN}'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['nesting that is too deep', nested(21)],
    ['nesting that would exhaust the stack', '['.repeat(60_000)],
  ])('refuses %s', async (_, body) => {
    const headers = { ...JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }
    expect(await post(headers, body)).toBeRefused(400, 'INVALID_JSON')
  })

  test('says where a body is not JSON and what it expected there', async () => {
    const response = await post(JSON_TYPE, '{"url": "https://youtu.be/x",\n  "priority": "high",\n}')
    expect(response).toBeRefused(400, 'INVALID_JSON')
    expect(response.body).toMatchObject({
      error: { message: 'The request body is not valid JSON: expected a name in double quotes at line 3, column 1.' },
    })
  })

  test('reports a missing body as invalid JSON, not as a wrong media type', async () => {
    expect(await post({ ...JSON_TYPE, 'Content-Length': 0 })).toBeRefused(400, 'INVALID_JSON')
    expect(await post(JSON_TYPE)).toBeRefused(400, 'INVALID_JSON')
  })

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('accepts the content type %s', async (type) => {
    expect((await post({ 'Content-Type': type }, '{}')).status).toBe(200)
  })

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/json, text/plain',
    'json',
    '',
  ])('refuses the content type %p', async (type) => {
    expect(await post({ 'Content-Type': type }, '{}')).toBeRefused(415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('refuses a body without a content type', async () => {
    expect(await post({}, '{}')).toBeRefused(415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['gzip', 'deflate', 'br', 'zstd', 'unheard-of', 'gzip, gzip'])(
    'refuses the encoding %s',
    async (encoding) => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding }
      expect(await post(headers, gzipSync('{}'))).toBeRefused(415, 'UNSUPPORTED_MEDIA_TYPE')
    },
  )

  test('accepts the encoding identity', async () => {
    expect((await post({ ...JSON_TYPE, 'Content-Encoding': 'identity' }, '{}')).status).toBe(200)
  })

  test('accepts the largest body and refuses one byte more, with and without Content-Length', async () => {
    const largest = JSON.stringify('x'.repeat(64 * 1024 - 2))
    expect((await post({ ...JSON_TYPE, 'Content-Length': largest.length }, largest)).status).toBe(200)
    const larger = `${largest} `
    const announced = post({ ...JSON_TYPE, 'Content-Length': larger.length }, larger)
    expect(await announced).toBeRefused(413, 'PAYLOAD_TOO_LARGE')
    expect(await post(JSON_TYPE, larger)).toBeRefused(413, 'PAYLOAD_TOO_LARGE')
  })

  test('refuses an announced size without waiting for the body', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 10_000_000 }
    // The body never arrives, so a server that waited for it would not respond.
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const target = { port: server.port, host: '127.0.0.1', method: 'POST', headers, agent: false }
      const sent = httpRequest(target, (response) => {
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.once('error', reject)
      sent.write('{')
    })
    expect(status).toBe(413)
  })
})
