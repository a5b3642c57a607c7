import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { openTestBlobs, type TestBlobStore } from '@subtext/blobs/testing'
import { ServiceError, type SummaryMode } from '@subtext/contracts'
import { findBlob, keepBlob, THUMBNAIL_BLOB } from '@subtext/core/blobs'
import { getResult } from '@subtext/core/jobs'
import { createRenderer, RenderError, type Renderer } from '@subtext/documents'
import { waitUntil } from '@subtext/embedded/testing'
import supertest, { type Response } from 'supertest'
import { createPdfExporter } from '../exports/export-pdf.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let files: TestBlobStore
let renderer: Renderer
let key: string
let jobId: string
/** Templates that were rendered. */
let renders: string[] = []

beforeAll(async () => {
  files = await openTestBlobs()
  renderer = createRenderer()
  const counting: Renderer = {
    ...renderer,
    render: (request, options) => {
      renders.push(request.template)
      return renderer.render(request, options)
    },
  }
  useRenderer(counting)
  key = await api.createKey()
  jobId = await completeOne()
})
beforeEach(() => {
  renders = []
})
afterAll(async () => {
  renderer.close()
  await files.remove()
})

function useRenderer(used: Renderer): void {
  const { context } = api
  context.blobs = files.blobs
  context.exportPdf = createPdfExporter({ ...context, renderer: used })
}

async function completeOne(): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, id)
  return id
}

const fetchPdf = (query = '', { id = jobId, apiKey = key, headers = {} } = {}) =>
  supertest(api.app).get(`/api/v1/videos/export/${id}/pdf${query}`).set('X-API-Key', apiKey).set(headers)
/** Reads the whole body, which supertest does for known types only. */
const bytesOf = ({ body }: Response): Buffer => body as Buffer

test('returns the result as a PDF, with a file name', async () => {
  const response = await fetchPdf()
  expect(response.status).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="dQw4w9WgXcQ.pdf"',
    'cache-control': 'private, no-cache',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    vary: expect.stringContaining('Accept'),
  })
  const bytes = bytesOf(response)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  expect(response.headers['content-length']).toBe(String(bytes.length))
  expect(bytes.toString('latin1')).toContain('/Title (Rivers & the sea)')
})

test('renders a PDF once, and returns the kept bytes after that', async () => {
  const id = await completeOne()
  const [first, atOnce] = await Promise.all([fetchPdf('', { id }), fetchPdf('?paper=a4&transcript=true', { id })])
  const later = await fetchPdf('?modes=tldr,key_insights', { id })
  expect(renders).toEqual(['report'])
  for (const response of [atOnce, later]) {
    expect(bytesOf(response).equals(bytesOf(first))).toBe(true)
    expect(response.headers.etag).toBe(first.headers.etag)
  }
  expect((await api.context.db.query('SELECT key FROM blobs WHERE job_id = $1', [id])).rowCount).toBe(1)
})

test('gives each paper, selection and result a PDF and an ETag of its own', async () => {
  const other = await completeOne()
  const responses = await Promise.all([...['', '?paper=letter'].map((query) => fetchPdf(query))])
  for (const query of ['?transcript=false', '?modes=detailed']) responses.push(await fetchPdf(query))
  responses.push(await fetchPdf('', { id: other }))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(5)
})

test('is not rendered for a caller that has it, or that asks for its headers only', async () => {
  const id = await completeOne()
  const head = await supertest(api.app).head(`/api/v1/videos/export/${id}/pdf`).set('X-API-Key', key)
  expect([head.status, head.headers['content-type']]).toEqual([200, 'application/pdf'])
  const { headers, status, text } = await fetchPdf('', { id, headers: { 'If-None-Match': head.headers.etag } })
  expect([status, text, headers.etag]).toEqual([304, '', head.headers.etag])
  expect(renders).toEqual([])
})

test('shows the picture that was kept with the job', async () => {
  const id = await completeOne()
  const isPictured = async (pdf: string): Promise<boolean> =>
    bytesOf(await fetchPdf('', { id: pdf })).includes('/Subtype /Image')
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await keepBlob(api.context, { jobId: id, name: THUMBNAIL_BLOB, contentType: 'image/png' }, png)
  expect([await isPictured(id), await isPictured(jobId)]).toEqual([true, false])
})

test.each([
  ['paper=a5', 'query.paper'],
  ['transcript=1', 'query.transcript'],
  ['transcript=', 'query.transcript'],
  ['modes=', 'query.modes'],
  ['modes=tldr,short', 'query.modes'],
  ['modes=tldr,', 'query.modes'],
  ['page=1', 'query.page'],
])('refuses ?%s', async (query, path) => {
  const response = await fetchPdf(`?${query}`)
  expect(response).toBeRefused(400, 'VALIDATION_ERROR')
  expect(response.body.error.details.issues).toMatchObject([{ path }])
})

test('is found only by its owner, and looks missing to others', async () => {
  const stranger = await api.createKey()
  for (const [id, apiKey] of [
    [jobId, stranger],
    [randomUUID(), key],
    ['nonsense', key],
  ] as const) {
    expect(await fetchPdf('', { id, apiKey, headers: { 'If-None-Match': '*' } })).toBeRefused(404, 'NOT_FOUND')
  }
})

test('is refused to plans without PDF export, for jobs of any account', async () => {
  const plus = await api.createKey({ plan: 'plus' })
  const own = await acceptTestJob(api.context, plus)
  for (const id of [own, jobId]) {
    const response = await fetchPdf('', { id, apiKey: plus })
    expect(response).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    expect(response.body.error.details).toMatchObject({ feature: 'pdf_export', required_plan: 'pro' })
  }
  const admin = await api.createKey({ plan: 'free', scopes: ['admin'] })
  const id = await acceptTestJob(api.context, admin)
  await completeTestJob(api.context, id)
  expect((await fetchPdf('', { id, apiKey: admin })).status).toBe(200)
})

test('does not wait for a running job, and repeats the error of a failed one', async () => {
  const id = await acceptTestJob(api.context, key)
  const unfinished = await fetchPdf('', { id })
  expect(unfinished).toBeRefused(409, 'JOB_NOT_COMPLETED')
  expect(unfinished.headers['retry-after']).toMatch(/^\d+$/)
  await failTestJob(api.context, id, new ServiceError('VIDEO_UNAVAILABLE'))
  expect(await fetchPdf('', { id })).toBeRefused(422, 'VIDEO_UNAVAILABLE')
})

describe('when it cannot be rendered', () => {
  const failing = (error: Error): Renderer => ({ ...renderer, render: () => Promise.reject(error) })
  let id: string
  beforeAll(async () => {
    id = await completeOne()
  })
  afterAll(() => useRenderer(renderer))

  test.each([
    ['busy', 503, 'SERVICE_UNAVAILABLE', true],
    ['timeout', 504, 'PROCESSING_TIMEOUT', false],
    ['memory', 504, 'PROCESSING_TIMEOUT', false],
    ['unsupported', 503, 'SERVICE_UNAVAILABLE', false],
    ['failed', 500, 'INTERNAL_ERROR', true],
  ] as const)('%s is %d %s', async (failure, status, code, retryable) => {
    useRenderer(failing(new RenderError(failure, 'SECRET')))
    const response = await fetchPdf('', { id })
    expect(response).toBeRefused(status, code)
    expect(response.body.error.retryable).toBe(retryable)
    expect(JSON.stringify(response.body)).not.toContain('SECRET')
    expect(response.headers).not.toHaveProperty('etag')
    expect(response.headers).not.toHaveProperty('content-disposition')
    expect(response.headers['retry-after']).toEqual(failure === 'busy' ? expect.stringMatching(/^\d+$/) : undefined)
  })

  test('while the file store is unavailable, PDFs are rendered again', async () => {
    useRenderer(renderer)
    const away = () => Promise.reject(new Error('The store is unavailable.'))
    const { context } = api
    context.exportPdf = createPdfExporter({
      ...context,
      renderer,
      blobs: { ...files.blobs, get: away, put: away },
    })
    const [first, second] = [await fetchPdf('', { id }), await fetchPdf('', { id })]
    expect([first.status, bytesOf(second).equals(bytesOf(first))]).toEqual([200, true])
    expect(await findBlob(api.context, { jobId: id, name: 'report' })).toBeNull()
  })
})

test('a document whose callers have all gone is not made any further; one that is left gets it', async () => {
  const finished = await getResult(api.context, await api.context.verifyKey(key), await completeOne())
  const signals: (AbortSignal | undefined)[] = []
  const exportPdf = createPdfExporter({
    ...api.context,
    renderer: {
      ...renderer,
      async render(request, options) {
        signals.push(options?.signal)
        // Otherwise, a busy test can find the second document made already.
        if (signals.length === 2 && options?.signal) await once(options.signal, 'abort')
        return renderer.render(request, options)
      },
    },
  })
  const ask = (paper: 'a4' | 'letter') => {
    const caller = new AbortController()
    const modes: SummaryMode[] = []
    const options = { paper, transcript: true, modes }
    return { caller, bytes: exportPdf(finished, options, { account: 'one', signal: caller.signal }) }
  }
  const [first, second] = [ask('a4'), ask('a4')]
  first.caller.abort()
  await expect(first.bytes).rejects.toThrow()
  expect((await second.bytes).subarray(0, 5).toString()).toBe('%PDF-')
  expect(signals).toHaveLength(1)
  const alone = ask('letter')
  await waitUntil('it is being made', () => signals.length === 2)
  alone.caller.abort()
  await expect(alone.bytes).rejects.toThrow()
  expect(signals[1]?.aborted).toBe(true)
  expect((await ask('letter').bytes).subarray(0, 5).toString()).toBe('%PDF-')
})
