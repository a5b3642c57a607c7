import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ServiceError } from '@subtext/contracts'
import express, { type ErrorRequestHandler } from 'express'
import { listen, type RunningServer } from '../server.ts'
import { nestsDeeperThan, readJsonBody } from './json-body.ts'

const showError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof ServiceError) response.status(error.status).json({ code: error.code, message: error.message })
  else response.status(599).json({ message: String(error) })
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

interface Answer {
  status: number
  body: { code?: string; value?: unknown }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Sends the chunks as they are: in chunked encoding where the headers hold no length, and nothing where there are none. */
const post = (headers: Record<string, string | number>, ...chunks: (Buffer | string)[]): Promise<Answer> =>
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

const codeOf = async (answer: Promise<Answer>): Promise<[number, string | undefined]> => {
  const { status, body } = await answer
  return [status, body.code]
}

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
  ])('%s beyond one level: %p', (json, deeper) => {
    expect(nestsDeeperThan(Buffer.from(json), 1)).toBe(deeper)
  })

  test('the limit itself is allowed', () => {
    expect(nestsDeeperThan(Buffer.from(nested(20)), 20)).toBe(false)
    expect(nestsDeeperThan(Buffer.from(nested(21)), 20)).toBe(true)
  })

  test('a hostile nest is seen at once', () => {
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
    ['all levels that are allowed', nested(20), JSON.parse(nested(20))],
  ])('reads %s', async (_, json, value) => {
    expect(await post(JSON_TYPE, json)).toEqual({ status: 200, body: { value } })
  })

  test('reads a body that arrives in pieces, cut within a character', async () => {
    const bytes = Buffer.from('{"a":"日本"}')
    expect((await post(JSON_TYPE, bytes.subarray(0, 7), bytes.subarray(7))).body.value).toEqual({ a: '日本' })
  })

  test.each([
    ['nothing', ''],
    ['only spaces', '  \n'],
    ['half a value', '{"a":'],
    ['two values', '{}{}'],
    ['a comment', '{} // x'],
    ['a number JSON does not know', '{"a":NaN}'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['a nest that is too deep', nested(21)],
    ['a nest that would exhaust the stack', '['.repeat(60_000)],
  ])('refuses %s', async (_, body) => {
    const headers = { ...JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }
    expect(await codeOf(post(headers, body))).toEqual([400, 'INVALID_JSON'])
  })

  test('no body at all is a missing body, not a wrong type', async () => {
    expect(await codeOf(post({ ...JSON_TYPE, 'Content-Length': 0 }))).toEqual([400, 'INVALID_JSON'])
    expect(await codeOf(post(JSON_TYPE))).toEqual([400, 'INVALID_JSON'])
  })

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('takes %s', async (type) => {
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
    expect(await codeOf(post({ 'Content-Type': type }, '{}'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test('refuses a body without a content type', async () => {
    expect(await codeOf(post({}, '{}'))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })

  test.each(['gzip', 'deflate', 'br', 'zstd', 'unheard-of', 'gzip, gzip'])(
    'refuses the encoding %s',
    async (encoding) => {
      const headers = { ...JSON_TYPE, 'Content-Encoding': encoding }
      expect(await codeOf(post(headers, gzipSync('{}')))).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    },
  )

  test('takes the encoding that changes nothing', async () => {
    expect((await post({ ...JSON_TYPE, 'Content-Encoding': 'identity' }, '{}')).status).toBe(200)
  })

  test('takes the largest body and refuses one byte more, announced or not', async () => {
    const largest = JSON.stringify('x'.repeat(64 * 1024 - 2))
    expect((await post({ ...JSON_TYPE, 'Content-Length': largest.length }, largest)).status).toBe(200)
    const larger = `${largest} `
    const announced = post({ ...JSON_TYPE, 'Content-Length': larger.length }, larger)
    expect(await codeOf(announced)).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(await codeOf(post(JSON_TYPE, larger))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('refuses an announced size at once, without waiting for the body', async () => {
    const headers = { ...JSON_TYPE, 'Content-Length': 10_000_000 }
    const started = performance.now()
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
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
