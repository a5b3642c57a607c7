import {
  contentType,
  DefaultResult,
  DOCUMENT_FORMATS,
  DOCUMENT_MEDIA_TYPES,
  ERRORS,
  type ErrorCode,
  FORMATS,
  ServiceError,
  StructuredResult,
} from '@subtext/contracts'
import { reportStep } from '@subtext/core/jobs'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, CUES, claimTestJob, completeTestJob, failTestJob, VIDEO_URL } from '../testing/jobs.ts'

const api = useTestApi()
let key: string
let jobId: string

beforeAll(async () => {
  key = await api.createKey()
  jobId = await acceptTestJob(api.context, key, { serviceName: 'notes', clientReference: 'ref-1' })
  await completeTestJob(api.context, jobId)
})

const fetchResult = (query = '', accept?: string, id = jobId) => {
  const request = supertest(api.app).get(`/api/v1/videos/result/${id}${query}`).set('Authorization', `Bearer ${key}`)
  // Without a value, supertest sends no Accept header.
  return accept === undefined ? request : request.set('Accept', accept)
}

/** Like `fetchResult`, but returns the body as text, whatever its media type. */
const fetchDocument = async (query = '', accept?: string) => {
  const response = await fetchResult(query, accept)
    .buffer(true)
    .parse((message, done) => {
      const pieces: Buffer[] = []
      message.on('data', (piece: Buffer) => pieces.push(piece))
      message.on('end', () => done(null, Buffer.concat(pieces)))
    })
  return { status: response.status, headers: response.headers, text: (response.body as Buffer).toString() }
}

const ENVELOPE = 'application/json; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const TEXT = 'text/plain; charset=utf-8'
const HTML = 'text/html; charset=utf-8'
const CSV = 'text/csv; charset=utf-8'
const SRT = 'application/x-subrip; charset=utf-8'
const VTT = 'text/vtt; charset=utf-8'

describe('the envelope', () => {
  test('returns Markdown texts by default', async () => {
    const { status, headers, body } = await fetchResult()
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': ENVELOPE, vary: expect.stringMatching(/\bAccept\b/) })
    expect(body.meta).not.toHaveProperty('warnings')
    expect(DefaultResult.parse(body.data)).toMatchObject({
      job_id: jobId,
      format: 'markdown',
      video_info: { video_id: 'dQw4w9WgXcQ', url: VIDEO_URL, title: 'Rivers & the sea' },
      transcript: { language: 'en', kind: 'manual', name: 'English', truncated: false },
      summaries: { tldr: expect.stringContaining('Rivers follow the slope.') },
      processing_time: 4.5,
      usage: { total_tokens: 15, cost_usd: 0.001, model: 'model-a', cached: false },
      service_name: 'notes',
      client_reference: 'ref-1',
    })
    for (const cue of CUES) expect(body.data.transcript.text).toContain(cue.text)
    expect(body.data).not.toHaveProperty('agent_name')
    expect(Object.keys(body.data.summaries)).toEqual(['tldr'])
  })

  test('returns segments and citations with format=json', async () => {
    const { status, headers, body } = await fetchResult('?format=json')
    expect([status, headers['content-type']]).toEqual([200, ENVELOPE])
    expect(StructuredResult.parse(body.data)).toMatchObject({
      format: 'json',
      transcript: { segments: CUES.map(({ text }, index) => ({ id: index + 1, start: index * 3, duration: 3, text })) },
      summaries: { tldr: { model: 'model-a', citations: [{ segment_id: 2, start: 3 }] } },
    })
    expect(body.data.summaries.tldr.citations[0].url).toContain('dQw4w9WgXcQ')
    expect(body.data.transcript).not.toHaveProperty('text')
  })

  test.each(['', '?format=json'])('returns the warnings of the job (%s)', async (query) => {
    const warned = await acceptTestJob(api.context, key)
    const warnings = [{ code: 'LANGUAGE_NOT_AVAILABLE' as const, message: 'No German captions.' }]
    await completeTestJob(api.context, warned, { warnings })
    expect((await fetchResult(query, undefined, warned)).body.meta.warnings).toEqual(warnings)
  })
})

describe('the format of a result', () => {
  test.each(DOCUMENT_FORMATS)('returns a document with ?format=%s', async (format) => {
    const { status, headers, text } = await fetchDocument(`?format=${format}`)
    expect([status, headers['content-type']]).toEqual([200, contentType(FORMATS[format].mediaType)])
    expect(headers.vary).toMatch(/\bAccept\b(?!-)/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(text).toContain('Rivers flow 日本.')
    expect(text).not.toContain('"success"')
  })

  test('returns documents that match their media types', async () => {
    const begins = async (format: string) => (await fetchDocument(`?format=${format}`)).text.slice(0, 60)
    expect(await begins('markdown')).toMatch(/^# Rivers & the sea\n\n- /)
    expect(await begins('text')).toMatch(/^Rivers & the sea\n=+\n/)
    expect(await begins('html')).toMatch(/^<!DOCTYPE html>\n<html lang="en">\n<head>/)
    expect(await begins('csv')).toMatch(/^start,end,text\r\n"0","3","Rain falls\."\r\n"3","6",/)
    expect(await begins('srt')).toMatch(/^1\n00:00:00,000 --> 00:00:03,000\nRain falls\.\n\n/)
    expect(await begins('vtt')).toMatch(/^WEBVTT Language: en\n\n1\n00:00:00\.000 --> 00:00:03\.000\n/)
  })

  test.each([
    [undefined, ENVELOPE],
    ['', ENVELOPE],
    ['*/*', ENVELOPE],
    ['application/json', ENVELOPE],
    ['application/*', ENVELOPE],
    ['text/markdown', MARKDOWN],
    ['TEXT/MARKDOWN', MARKDOWN],
    ['text/markdown; charset=utf-8', MARKDOWN],
    ['application/json;charset=UTF-8', ENVELOPE],
    ['text/plain', TEXT],
    ['text/markdown;q=0.5, text/plain', TEXT],
    ['text/markdown, text/plain;q=0.5', MARKDOWN],
    ['text/plain;q=0.2, application/json;q=0.1', TEXT],
    ['text/markdown;q=0, */*', ENVELOPE],
    ['text/html', HTML],
    ['text/csv', CSV],
    ['application/x-subrip', SRT],
    ['text/vtt', VTT],
    ['image/png, text/plain;q=0.1', TEXT],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', HTML],
    ['text/csv;q=0.9, text/vtt;q=0.8, */*;q=0.1', CSV],
    ['text/html;q=0.4, application/json;q=0.5', ENVELOPE],
    ['application/*;q=0.9, application/json;q=0', SRT],
    ['application/json;q=0, text/*', MARKDOWN],
  ])('responds to Accept: %s with %s', async (accept, type) => {
    const { status, headers } = await fetchDocument('', accept)
    expect([status, headers['content-type']]).toEqual([200, type])
  })

  test.each([
    'image/png',
    'application/xml, text/rtf',
    'text/html;q=0',
    '*/*;q=0',
    'text/csv; charset=utf-16',
    'nonsense',
  ])('refuses Accept: %s as NOT_ACCEPTABLE', async (accept) => {
    const response = await fetchResult('', accept)
    expect(response).toBeRefused(406, 'NOT_ACCEPTABLE')
    expect(response.headers['content-type']).toBe(ENVELOPE)
    expect(response.body.error.details).toEqual({
      available: ['application/json', ...DOCUMENT_MEDIA_TYPES],
    })
  })

  test.each([
    ['?format=markdown', 'application/json', MARKDOWN],
    ['?format=text', 'text/html', TEXT],
    ['?format=json', 'text/markdown', ENVELOPE],
    ['?format=html', 'application/json', HTML],
    ['?format=csv', 'image/png', CSV],
  ])('prefers %s to Accept: %s', async (query, accept, type) => {
    const { status, headers } = await fetchDocument(query, accept)
    expect([status, headers['content-type']]).toEqual([200, type])
  })

  test.each(['?format=docx', '?format=', '?format=JSON', '?format=json&format=text', '?format=markdown%00'])(
    'refuses %s',
    async (query) => {
      expect(await fetchResult(query)).toBeRefused(400, 'VALIDATION_ERROR', 'query.format')
    },
  )
})

describe('a job without a result', () => {
  test('responds JOB_NOT_COMPLETED with its progress while it is not finished', async () => {
    const waiting = await acceptTestJob(api.context, key)
    const queued = await fetchResult('', undefined, waiting)
    expect(queued).toBeRefused(409, 'JOB_NOT_COMPLETED')
    expect(queued.body.error).toMatchObject({
      retryable: true,
      details: { status: 'queued', progress_percentage: 0 },
    })
    expect(Number(queued.headers['retry-after'])).toBeGreaterThanOrEqual(1)

    const lease = await claimTestJob(api.context, waiting)
    await reportStep(api.context, lease, 'summarizing', 60)
    const processing = await fetchResult('?format=markdown', undefined, waiting)
    expect(processing).toBeRefused(409, 'JOB_NOT_COMPLETED')
    expect(processing.body.error.details).toEqual({ status: 'processing', progress_percentage: 60 })
  })

  const ENDS: [ErrorCode, Record<string, unknown> | undefined][] = [
    ['TRANSCRIPT_UNAVAILABLE', { reason: 'private' }],
    ['VIDEO_UNAVAILABLE', undefined],
    ['AGE_RESTRICTED', undefined],
    ['LIVE_NOT_ENDED', undefined],
    ['GEO_BLOCKED', undefined],
    ['VIDEO_NOT_ACCESSIBLE', undefined],
    ['UPSTREAM_BLOCKED', undefined],
    ['UPSTREAM_UNAVAILABLE', undefined],
    ['SUMMARY_UNAVAILABLE', undefined],
    ['PROCESSING_TIMEOUT', undefined],
    ['INTERNAL_ERROR', undefined],
  ]

  test.each(ENDS)('responds with the error %s of a failed job in every format', async (code, details) => {
    const failed = await acceptTestJob(api.context, key)
    await failTestJob(api.context, failed, new ServiceError(code, { details }))
    for (const [query, accept] of [
      ['', 'application/json'],
      ['?format=text', undefined],
      ['', 'text/markdown'],
    ] as const) {
      const response = await fetchResult(query, accept, failed)
      const { status, message, retryable } = ERRORS[code]
      expect(response).toBeRefused(status, code)
      expect(response.headers['content-type']).toBe(ENVELOPE)
      const { error } = response.body
      expect(error).toMatchObject({ message, retryable })
      expect(error.details).toEqual(details)
    }
  })

  test('shows the message of its error, except of an internal error', async () => {
    const failWith = async (error: ServiceError) => {
      const failed = await acceptTestJob(api.context, key)
      await failTestJob(api.context, failed, error)
      return (await fetchResult('', undefined, failed)).body.error
    }
    const message = 'The captions are switched off.'
    expect((await failWith(new ServiceError('VIDEO_UNAVAILABLE', { message }))).message).toBe(message)
    const internal = await failWith(new ServiceError('INTERNAL_ERROR', { message: 'at db.internal:5432' }))
    expect(JSON.stringify(internal)).not.toContain('db.internal')
  })
})
