import { randomBytes, randomUUID } from 'node:crypto'
import { openTestBlobs, type TestBlobStore, UNAVAILABLE_BLOBS } from '@subtext/blobs/testing'
import { ServiceError, VideoOptions } from '@subtext/contracts'
import { findBlob } from '@subtext/core/blobs'
import { buildInfographicUrl } from '@subtext/core/infographics'
import { createRenderer, RenderError, type Renderer } from '@subtext/documents'
import supertest, { type Response } from 'supertest'
import { createInfographicDrawer } from '../exports/draw-infographic.ts'
import { useTestApi } from '../testing/api.ts'
import {
  acceptTestBatch,
  acceptTestJob,
  addTestInfographic,
  completeTestJob,
  failTestJob,
  VIDEO_URL,
} from '../testing/jobs.ts'
import { createTestSession } from '../testing/sessions.ts'

const DAY_MS = 86_400_000
const PATH = '/api/v1/videos/infographic'

let now = new Date()
const api = useTestApi({}, () => now)
let files: TestBlobStore
let renderer: Renderer
let key: string
let jobId: string
/** Formats of the pictures that were drawn. */
let renders: string[] = []

function useRenderer(used: Renderer, blobs = files.blobs): void {
  const { context } = api
  context.blobs = blobs
  context.drawInfographic = createInfographicDrawer({ ...context, blobs, renderer: used })
}

beforeAll(async () => {
  files = await openTestBlobs()
  renderer = createRenderer()
  key = await api.createKey()
  jobId = await completeOne()
})
beforeEach(() => {
  now = new Date()
  renders = []
  useRenderer({
    ...renderer,
    render: (request, options) => {
      renders.push(request.format)
      return renderer.render(request, options)
    },
  })
})
afterAll(async () => {
  renderer.close()
  await files.remove()
})

/** Completes a job, with an infographic unless `isDrawn` is null. */
async function completeOne(isDrawn: boolean | null = true, apiKey = key): Promise<string> {
  const options = { ...OPTIONS, generate_infographic: isDrawn !== null }
  const id = await acceptTestJob(api.context, apiKey, { options })
  await completeTestJob(api.context, id)
  if (isDrawn !== null) await addTestInfographic(api.context, id, isDrawn)
  return id
}

const OPTIONS = { summary_modes: ['tldr' as const], max_transcript_length: 1_000, include_comments: false }

const fetchPicture = (query = '', { id = jobId, apiKey = key as string | null, headers = {} } = {}) => {
  const request = supertest(api.app).get(`${PATH}/${id}${query}`).set(headers).responseType('blob')
  return apiKey === null ? request : request.set('X-API-Key', apiKey)
}
const bytesOf = ({ body }: Response): Buffer => body as Buffer
const sizeOf = (png: Buffer): string => `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`
const errorOf = (response: Response) => JSON.parse(bytesOf(response).toString())

async function fetchLink(id = jobId): Promise<string> {
  const { body } = await supertest(api.app).get(`/api/v1/videos/result/${id}`).set('X-API-Key', key)
  return body.data.infographic_url
}
const follow = (link: string) => {
  const { pathname, search } = new URL(link)
  return supertest(api.app).get(`${pathname}${search}`).responseType('blob')
}

describe('with a key', () => {
  test('returns a card as a PNG by default', async () => {
    const response = await fetchPicture()
    expect(response.status).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[\w.-]+"$/),
    })
    expect(response.headers).not.toHaveProperty('content-disposition')
    expect(sizeOf(bytesOf(response))).toBe('1080x1350')
  })

  test.each([
    ['?layout=wide', 'image/png', '1200x675'],
    ['?layout=story&theme=dark', 'image/png', '1080x1920'],
    ['?format=svg&layout=wide', 'image/svg+xml', '<svg '],
  ])('returns %s as it was asked for', async (query, type, start) => {
    const response = await fetchPicture(query)
    expect(response.headers['content-type']).toBe(type)
    const bytes = bytesOf(response)
    expect(type === 'image/png' ? sizeOf(bytes) : bytes.subarray(0, 5).toString()).toBe(start)
  })

  test('lets browsers show the pictures within an SVG, and nothing else', async () => {
    const { headers } = await fetchPicture('?format=svg')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; img-src data:;/)
    expect((await fetchPicture('')).headers['content-security-policy']).not.toContain('img-src')
  })

  test('draws a picture once, and keeps it', async () => {
    const id = await completeOne()
    const query = '?theme=dark&format=svg'
    const [first, atOnce] = await Promise.all([fetchPicture(query, { id }), fetchPicture(query, { id })])
    const later = await fetchPicture(`${query}&layout=card`, { id })
    expect(renders).toEqual(['svg'])
    for (const response of [atOnce, later]) expect(bytesOf(response).equals(bytesOf(first))).toBe(true)
    const name = 'infographic-card-dark-4.svg'
    expect(await findBlob(api.context, { jobId: id, name })).toEqual(bytesOf(first))
  })

  test('draws nothing for a caller that has the picture', async () => {
    const { headers } = await supertest(api.app).head(`${PATH}/${jobId}?layout=wide`).set('X-API-Key', key)
    const response = await fetchPicture('?layout=wide', { headers: { 'If-None-Match': headers.etag } })
    expect([response.status, renders]).toEqual([304, []])
    expect((await fetchPicture('?layout=story', { headers: { 'If-None-Match': headers.etag } })).status).toBe(200)
  })

  test('names the file of a download after the video', async () => {
    const { headers } = await fetchPicture('?download=1&format=svg')
    expect(headers['content-disposition']).toBe('attachment; filename="dQw4w9WgXcQ.svg"')
  })

  test('draws a picture that could not be drawn when the job ended', async () => {
    expect((await fetchPicture('', { id: await completeOne(false) })).status).toBe(200)
  })

  test.each([
    ['format=jpg', 'query.format'],
    ['layout=poster', 'query.layout'],
    ['theme=', 'query.theme'],
    ['download=yes', 'query.download'],
    ['expires=soon', 'query.expires'],
    ['size=1', 'query.size'],
  ])('refuses ?%s', async (query, path) => {
    const { error } = errorOf(await fetchPicture(`?${query}`))
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } })
  })

  test('is found by its owner only, and only if it exists', async () => {
    const stranger = await api.createKey()
    for (const [id, apiKey] of [
      [jobId, stranger],
      [await completeOne(null), key],
      [randomUUID(), key],
      ['nonsense', key],
    ] as const) {
      const response = await fetchPicture('', { id, apiKey })
      expect([response.status, errorOf(response).error.code]).toEqual([404, 'NOT_FOUND'])
    }
  })

  test('does not wait for a running job, and repeats the error of a failed one', async () => {
    const id = await acceptTestJob(api.context, key)
    expect(errorOf(await fetchPicture('', { id })).error.code).toBe('JOB_NOT_COMPLETED')
    await failTestJob(api.context, id, new ServiceError('VIDEO_UNAVAILABLE'))
    expect(errorOf(await fetchPicture('', { id })).error.code).toBe('VIDEO_UNAVAILABLE')
  })
})

describe('the link in a result', () => {
  test('works without any header, in every layout, theme and format', async () => {
    const link = await fetchLink()
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/videos\/infographic\//)
    expect(sizeOf(bytesOf(await follow(link)))).toBe('1080x1350')
    expect(sizeOf(bytesOf(await follow(`${link}&layout=wide&theme=dark`)))).toBe('1200x675')
  })

  test('works for seven days, and results then have a new one', async () => {
    const link = await fetchLink()
    const made = now.getTime()
    now = new Date(made + 7 * DAY_MS)
    expect((await follow(link)).status).toBe(200)
    now = new Date(made + 8 * DAY_MS)
    const response = await follow(link)
    expect([response.status, errorOf(response).error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(errorOf(response).error.message).toContain('`infographic_url`')
    expect((await fetchPicture(new URL(link).search)).status).toBe(200)
    const next = await fetchLink()
    expect(next).not.toBe(link)
    expect((await follow(next)).status).toBe(200)
  })

  test('comes with the words of the picture, and with an ETag of its day', async () => {
    const fetchResult = (headers = {}) =>
      supertest(api.app).get(`/api/v1/videos/result/${jobId}`).set('X-API-Key', key).set(headers)
    const { body, headers } = await fetchResult()
    expect(body.data.infographic_alt_text).toBe('In words.')
    const again = { 'If-None-Match': headers.etag }
    expect((await fetchResult(again)).status).toBe(304)
    now = new Date(now.getTime() + DAY_MS)
    expect((await fetchResult(again)).status).toBe(200)
  })

  test('is missing while there is no picture', async () => {
    expect(await fetchLink(await completeOne(null))).toBeUndefined()
    expect(await fetchLink(await completeOne(false))).toBeUndefined()
  })

  test('does not open any other job, and says nothing about them', async () => {
    const { search } = new URL(await fetchLink())
    const other = await completeOne()
    const refusals = []
    for (const id of [other, await completeOne(null), randomUUID(), 'nonsense']) {
      const response = await fetchPicture(search, { id, apiKey: null })
      refusals.push([response.status, errorOf(response).error.message])
    }
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(refusals[0]?.[0]).toBe(401)
  })

  test.each([
    ['another time', (link: string) => link.replace(/expires=\d/, 'expires=9')],
    ['another signature', (link: string) => link.replace(/signature=./, 'signature=~')],
    ['no time', (link: string) => link.replace(/expires=\d+&/, '')],
    ['no signature', (link: string) => link.replace(/&signature=.*/, '')],
    ['a key of another job', () => buildInfographicUrl('http://x', { jobId, linkKey: randomBytes(32) }, now)],
  ])('is refused with %s', async (_, change) => {
    const response = await follow(change(await fetchLink()))
    expect([response.status, errorOf(response).error.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('does not make up for a wrong key', async () => {
    const { search } = new URL(await fetchLink())
    expect((await fetchPicture(search, { apiKey: `sk_${'0'.repeat(64)}` })).status).toBe(401)
  })

  test.each([
    ['a key of another account', 404, async () => ({ 'X-API-Key': await api.createKey() })],
    ['a session of another account', 404, async () => (await createTestSession(api)).headers],
    ['a key without the scope `read`', 403, async () => ({ 'X-API-Key': await api.createKey({ scopes: ['write'] }) })],
  ])('works with %s, too', async (_, status, createHeaders) => {
    const { search } = new URL(await fetchLink())
    const sent = { apiKey: null, headers: await createHeaders() }
    const fetchAs = async (query: string) => (await fetchPicture(query, sent)).status
    const queries = [search, '', '?signature=', search.replace(/signature=./, 'signature=~')]
    expect(await Promise.all(queries.map(fetchAs))).toEqual([200, status, status, status])
  })

  test('ends with the job', async () => {
    const id = await completeOne()
    const link = await fetchLink(id)
    await api.context.db.query('DELETE FROM jobs WHERE id = $1', [id])
    expect((await follow(link)).status).toBe(401)
  })

  test('is in the results of a batch, too', async () => {
    const videos = [{ url: VIDEO_URL, options: VideoOptions.parse({ generate_infographic: true }) }]
    const batchId = await acceptTestBatch(api.context, key, 1, { videos })
    const { rows } = await api.context.db.query<{ id: string }>('SELECT id FROM jobs WHERE batch_id = $1', [batchId])
    const id = rows[0]?.id ?? ''
    await completeTestJob(api.context, id)
    await addTestInfographic(api.context, id)
    const { body } = await supertest(api.app).get(`/api/v1/batch/results/${batchId}`).set('X-API-Key', key)
    expect((await follow(body.data.successful_jobs[0].infographic_url)).status).toBe(200)
  })
})

describe('when it cannot be drawn', () => {
  const failing = (error: Error): Renderer => ({ ...renderer, render: () => Promise.reject(error) })

  test.each([
    ['busy', 503, 'SERVICE_UNAVAILABLE', true],
    ['timeout', 504, 'PROCESSING_TIMEOUT', false],
    ['memory', 504, 'PROCESSING_TIMEOUT', false],
    ['failed', 500, 'INTERNAL_ERROR', true],
  ] as const)('%s is %d %s', async (failure, status, code, retryable) => {
    useRenderer(failing(new RenderError(failure, 'SECRET')), UNAVAILABLE_BLOBS)
    const response = await fetchPicture()
    expect(response.status).toBe(status)
    expect(errorOf(response).error).toMatchObject({ code, retryable })
    expect(bytesOf(response).toString()).not.toContain('SECRET')
    expect(response.headers).not.toHaveProperty('etag')
    expect(response.headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('while the file store is unavailable, pictures are drawn again', async () => {
    useRenderer(renderer, UNAVAILABLE_BLOBS)
    const [first, second] = [await fetchPicture(), await fetchPicture()]
    expect([first.status, bytesOf(second).equals(bytesOf(first))]).toEqual([200, true])
  })
})
