import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { FORMATS as FORMAT_TABLE, RESULT_FORMATS, ServiceError } from '@subtext/contracts'
import { buildSpeech } from '@subtext/contracts/testing'
import { HTML_POLICY } from '@subtext/render'
import type { RunningServer } from '../server.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let server: RunningServer
let key: string
let jobId: string

beforeAll(async () => {
  server = await api.serve()
  key = await api.createKey()
  jobId = await completeOne()
})

async function completeOne(options: Parameters<typeof completeTestJob>[2] = {}): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, id, options)
  return id
}

interface RawResponse {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends a request and returns the response as it was transferred, without the help of a client library. */
async function fetchRaw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  const request = httpRequest({
    host: '127.0.0.1',
    port: server.port,
    path: `/api/v1${path}`,
    method,
    agent: false,
    headers: { 'X-API-Key': key, ...headers },
  })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces) }
}

const fetchResult = (query = '', headers?: Record<string, string>, method?: string, id = jobId) =>
  fetchRaw(`/videos/result/${id}${query}`, headers, method)

const FORMATS = ['', ...RESULT_FORMATS.map((format) => `?format=${format}`)]
const varies = (headers: IncomingHttpHeaders): string[] => (headers.vary ?? '').split(/, */).sort()

describe.each(FORMATS)('the ETag (%s)', (query) => {
  test('stays the same, and a caller that sends it gets no body', async () => {
    const first = await fetchResult(query)
    expect(first.headers).toMatchObject({
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
      'cache-control': 'private, no-cache',
    })
    expect((await fetchResult(query)).headers.etag).toBe(first.headers.etag)

    // As `fetch` sends every conditional request.
    const noCache = { 'Cache-Control': 'no-cache', Pragma: 'no-cache' }
    const again = await fetchResult(query, { 'If-None-Match': first.headers.etag ?? '', ...noCache })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const { etag, vary, 'cache-control': caching, 'content-security-policy': policy } = first.headers
    expect(again.headers).toMatchObject({ etag, 'cache-control': caching, 'content-security-policy': policy })
    expect(varies(again.headers)).toEqual((vary ?? '').split(/, */).sort())
    for (const name of ['content-type', 'content-length', 'transfer-encoding', 'content-encoding']) {
      expect(again.headers).not.toHaveProperty(name)
    }
  })

  test('is sent in response to HEAD with the same headers and without a body', async () => {
    const { headers } = await fetchResult(query)
    const head = await fetchResult(query, {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'content-security-policy']) {
      expect([name, head.headers[name]]).toEqual([name, headers[name]])
    }
    const kept = await fetchResult(query, { 'If-None-Match': headers.etag ?? '' }, 'HEAD')
    expect([kept.status, kept.body.length]).toEqual([304, 0])
  })
})

describe('the ETag', () => {
  test('differs between formats and jobs, however the format was selected', async () => {
    const other = await completeOne()
    const responses = [...FORMATS.map((query) => fetchResult(query)), fetchResult('', {}, 'GET', other)]
    const tags = (await Promise.all(responses)).map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(FORMATS.length + 1)
    expect((await fetchResult('', { Accept: 'text/csv' })).headers.etag).toBe(tags[FORMATS.indexOf('?format=csv')])
  })

  test.each([
    ['*', 304],
    ['ETAG', 304],
    ['"a", ETAG ,W/"b"', 304],
    ['STRONG', 304],
    ['"a", W/"b"', 200],
    ['nonsense', 200],
    ['', 200],
  ])('responds to If-None-Match: %s with %d', async (given, status) => {
    const etag = (await fetchResult()).headers.etag ?? ''
    const value = given.replace('ETAG', etag).replace('STRONG', etag.slice('W/'.length))
    expect((await fetchResult('', { 'If-None-Match': value })).status).toBe(status)
  })

  test('does not match for another format', async () => {
    const { headers } = await fetchResult('?format=text')
    expect((await fetchResult('?format=html', { 'If-None-Match': headers.etag ?? '' })).status).toBe(200)
  })

  test('reveals nothing to callers without access to the result', async () => {
    const stranger = await api.createKey()
    const { headers } = await fetchResult()
    for (const value of [headers.etag ?? '', '*']) {
      expect((await fetchResult('', { 'X-API-Key': stranger, 'If-None-Match': value })).status).toBe(404)
      expect((await fetchResult('', { 'X-API-Key': 'sk_0', 'If-None-Match': value })).status).toBe(401)
    }
  })

  test('is not sent with errors, which are never 304', async () => {
    const failed = await acceptTestJob(api.context, key)
    await failTestJob(api.context, failed, new ServiceError('VIDEO_UNAVAILABLE'))
    const { status, headers } = await fetchResult('', { 'If-None-Match': '*' }, 'GET', failed)
    expect([status, headers.etag]).toEqual([422, undefined])
  })
})

test('only the HTML page has its own security policy', async () => {
  const page = await fetchResult('?format=html')
  expect(page.headers['content-security-policy']).toBe(HTML_POLICY)
  expect(page.headers['cross-origin-opener-policy']).toBe('unsafe-none')
  const other = await fetchResult('?format=text')
  expect(other.headers['content-security-policy']).not.toBe(HTML_POLICY)
  expect(other.headers['cross-origin-opener-policy']).toBe('same-origin')
})

test.each([
  ['?download=1', 'json'],
  ...RESULT_FORMATS.map((format) => [`?format=${format}&download=1`, FORMAT_TABLE[format].extension]),
])('%s responds with a file name', async (query, extension) => {
  const { headers, body } = await fetchResult(query)
  expect(headers['content-disposition']).toBe(`attachment; filename="dQw4w9WgXcQ.${extension}"`)
  const shown = await fetchResult(query.replace(/[?&]download=1/, ''))
  expect(shown.headers).not.toHaveProperty('content-disposition')
  // Spreadsheets need a byte order mark, which programs do not expect.
  const mark = extension === 'csv' ? '\ufeff' : ''
  if (extension !== 'json') expect(body.toString()).toBe(mark + shown.body.toString())
})

test('CSV starts with a byte order mark if that is asked for, downloaded or not', async () => {
  const marked = async (query: string) => (await fetchResult(query)).body.toString().startsWith('\ufeff')
  expect(await marked('?format=csv')).toBe(false)
  expect(await marked('?format=csv&bom=true')).toBe(true)
  expect(await marked('?format=csv&bom=false&download=1')).toBe(false)
  expect(await marked('?format=vtt&bom=true')).toBe(false)
  const { body } = await fetchResult('?format=csv&bom=true')
  expect(body.toString().slice(1)).toBe((await fetchResult('?format=csv')).body.toString())
  for (const value of ['1', 'yes', '']) expect((await fetchResult(`?format=csv&bom=${value}`)).status).toBe(400)
})

test('refuses every value of download but 1', async () => {
  for (const value of ['0', 'true', '']) expect((await fetchResult(`?download=${value}`)).status).toBe(400)
})

describe('compression', () => {
  const decode = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }
  let longId: string
  beforeAll(async () => {
    longId = await completeOne({ cues: buildSpeech(2_000) })
  })
  const fetchLong = (query: string, headers: Record<string, string>) => fetchResult(query, headers, 'GET', longId)

  test.each(FORMATS)('follows Accept-Encoding and changes nothing else (%s)', async (query) => {
    const plain = await fetchLong(query, { 'X-Request-Id': 'the-same-1' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(Number(plain.headers['content-length'])).toBe(plain.body.length)
    expect(varies(plain.headers)).toEqual(['Accept', 'Accept-Encoding'])
    for (const [encoding, decompress] of Object.entries(decode)) {
      const { headers, body } = await fetchLong(query, { 'Accept-Encoding': encoding, 'X-Request-Id': 'the-same-1' })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers).not.toHaveProperty('content-length')
      expect(varies(headers)).toEqual(['Accept', 'Accept-Encoding'])
      const withoutTime = (bytes: Buffer) => bytes.toString().replace(/"timestamp":"[^"]*"/, '')
      expect(withoutTime(decompress(body))).toBe(withoutTime(plain.body))
    }
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['zstd', undefined],
    ['gzip;q=0', undefined],
    ['*', 'br'],
  ])('responds to Accept-Encoding: %s with the encoding %s', async (accepted, encoding) => {
    const { status, headers } = await fetchLong('?format=text', { 'Accept-Encoding': accepted })
    expect([status, headers['content-encoding']]).toEqual([200, encoding])
  })

  test('leaves out short responses and responses to HEAD', async () => {
    const status = await fetchRaw(`/videos/status/${jobId}`, { 'Accept-Encoding': 'gzip' })
    expect(status.headers).not.toHaveProperty('content-encoding')
    expect(Number(status.headers['content-length'])).toBe(status.body.length)
    const result = await fetchResult('?format=text', { 'Accept-Encoding': 'gzip' })
    expect(result.headers).not.toHaveProperty('content-encoding')
    expect(varies(result.headers)).toEqual(['Accept', 'Accept-Encoding'])
    expect(Number(result.headers['content-length'])).toBe(result.body.length)
    const head = await fetchResult('', { 'Accept-Encoding': 'gzip' }, 'HEAD')
    expect([head.status, head.body.length, head.headers['content-encoding']]).toEqual([200, 0, undefined])
  })

  test('includes long responses of other routes', async () => {
    const { headers, body } = await fetchRaw('/openapi.json', { 'Accept-Encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(body).toString()).openapi).toMatch(/^3\.1/)
  })
})
