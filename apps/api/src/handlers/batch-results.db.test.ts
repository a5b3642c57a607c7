import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cue, ServiceError } from '@subtext/contracts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { type CountingServer, serveCounting } from '../testing/count-parts-read.ts'
import {
  acceptTestBatch,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

// Fewer connections than readers: a reader that held a connection while it waits would block the others.
const api = useTestApi({ DATABASE_POOL: '2' })
let server: CountingServer
let key: string

beforeAll(async () => {
  server = await serveCounting(api)
  key = await api.createKey()
})

const get = (path: string) => supertest(api.app).get(`/api/v1${path}`).set('X-API-Key', key)
const results = async (batchId: string, query = '') => {
  const { status, body, headers } = await get(`/batch/results/${batchId}${query}`)
  expect(status).toBe(200)
  return { ...body.data, retryAfter: headers['retry-after'] }
}
async function jobsOf(batchId: string): Promise<string[]> {
  const { body } = await get(`/batch/status/${batchId}`)
  return body.data.jobs.map((job: { job_id: string }) => job.job_id)
}

test('returns the finished results in order, each the same as on its own', async () => {
  const batchId = await acceptTestBatch(api.context, key, 4, { client_reference: 'ref' })
  const [first = '', second = '', third = '', fourth = ''] = await jobsOf(batchId)
  expect(await results(batchId, '?include_failed=true')).toEqual({
    batch_id: batchId,
    status: 'processing',
    successful_jobs: [],
    failed_jobs: [],
    retryAfter: '2',
    summary_stats: { total: 4, queued: 4, processing: 0, successful: 0, failed: 0 },
    processing: { started_at: null, completed_at: null, total_processing_time: null },
  })

  await completeTestJob(api.context, third)
  await completeTestJob(api.context, first)
  await failTestJob(api.context, second, new ServiceError('VIDEO_NOT_ACCESSIBLE', { details: { reason: 'paid' } }))
  const unfinished = await results(batchId)
  expect(unfinished.successful_jobs.map((result: { job_id: string }) => result.job_id)).toEqual([first, third])
  expect(unfinished).toMatchObject({
    status: 'processing',
    failed_jobs: [],
    processing: { started_at: expect.any(String) },
  })
  for (const query of ['', '?format=json']) {
    const { successful_jobs } = await results(batchId, query)
    const alone = await get(`/videos/result/${third}${query}`)
    expect(successful_jobs[1]).toEqual(alone.body.data)
    expect(successful_jobs[1]).toMatchObject({ format: query === '' ? 'markdown' : 'json', client_reference: 'ref' })
  }

  await completeTestJob(api.context, fourth)
  const ended = await results(batchId, '?include_failed=true')
  expect(ended.retryAfter).toBeUndefined()
  expect(ended.successful_jobs).toHaveLength(3)
  expect(ended.failed_jobs).toEqual([
    {
      index: 1,
      job_id: second,
      video_id: 'dQw4w9WgXcQ',
      video_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      error: expect.objectContaining({ code: 'VIDEO_NOT_ACCESSIBLE', details: { reason: 'paid' }, retryable: false }),
    },
  ])
  expect((await results(batchId, '?include_failed=false')).failed_jobs).toEqual([])
  const { started_at, completed_at, total_processing_time } = ended.processing
  expect(total_processing_time).toBeCloseTo((Date.parse(completed_at) - Date.parse(started_at)) / 1_000, 3)
})

test('names the warnings of its results, each with its job', async () => {
  const batchId = await acceptTestBatch(api.context, key, 3)
  const [first = '', second = '', third = ''] = await jobsOf(batchId)
  const warnings = [
    { code: 'TRANSCRIPT_TRUNCATED' as const, message: 'The transcript was cut.' },
    { code: 'INFOGRAPHIC_UNAVAILABLE' as const, message: 'There is no infographic.' },
  ]
  await completeTestJob(api.context, third, { warnings })
  await completeTestJob(api.context, first, { warnings: warnings.slice(1) })
  const warningsOf = async (path: string) => (await get(path)).body.meta.warnings
  const expected = [
    { ...warnings[1], job_id: first },
    { ...warnings[0], job_id: third },
    { ...warnings[1], job_id: third },
  ]
  expect(await warningsOf(`/batch/results/${batchId}`)).toEqual(expected)
  expect(await warningsOf(`/batch/results/${batchId}?format=json&include_failed=true`)).toEqual(expected)
  expect(await warningsOf(`/videos/result/${third}`)).toEqual(warnings)

  await supertest(api.app).post(`/api/v1/videos/cancel/${second}`).set('X-API-Key', key)
  await api.context.db.query(`UPDATE jobs SET warnings = $2 WHERE id = $1`, [second, JSON.stringify(warnings)])
  expect(await warningsOf(`/batch/results/${batchId}`)).toEqual(expected)
  expect(await warningsOf(`/batch/results/${batchId}?include_failed=true`)).toHaveLength(5)
})

test('a batch that was cancelled in the queue has a processing time of zero', async () => {
  const batchId = await acceptTestBatch(api.context, key)
  const [job] = await jobsOf(batchId)
  await supertest(api.app).post(`/api/v1/videos/cancel/${job}`).set('X-API-Key', key)
  const ended = await results(batchId, '?include_failed=true')
  expect(ended).toMatchObject({ status: 'failed', failed_jobs: [{ error: { code: 'JOB_CANCELLED' } }] })
  expect(ended.processing).toMatchObject({ started_at: null, total_processing_time: 0 })
})

test.each(['format=markdown', 'format=xml', 'include_failed=yes', 'include_failed=', 'limit=1'])(
  'refuses ?%s and names the parameter',
  async (query) => {
    const response = await get(`/batch/results/${await acceptTestBatch(api.context, key)}?${query}`)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR', `query.${query.split('=')[0]}`)
  },
)

describe('four results of 10 MB', () => {
  const COUNT = 4
  const CUES = Array.from({ length: 100_000 }, (_, index): Cue => {
    return { startMs: index * 1_000, durationMs: 1_000, text: `${'x'.repeat(98)}.` }
  })
  const PARTS = CUES.length / 1_000
  let batchId: string

  beforeAll(async () => {
    batchId = await acceptTestBatch(api.context, key, COUNT)
    const transcriptId = await saveTestTranscript(api.context, CUES)
    for (const jobId of await jobsOf(batchId)) {
      const lease = await claimTestJob(api.context, jobId)
      await addTestSummary(api.context, jobId, transcriptId)
      await endTestJob(api.context, lease, transcriptId, { cueCount: CUES.length })
    }
  })

  async function open(): Promise<IncomingMessage> {
    const path = `/api/v1/batch/results/${batchId}`
    const headers = { 'X-API-Key': key, 'Accept-Encoding': 'identity' }
    const request = httpGet({ host: '127.0.0.1', port: server.port, path, headers, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  }

  test('are sent only as fast as the readers accept them, and do not block other requests', async () => {
    server.partsRead = 0
    const readers = await Promise.all([open(), open(), open()])
    await sleep(1_000)
    // Only the buffers on the way are filled, with a part of the first result.
    expect(server.partsRead).toBeLessThan(readers.length * PARTS)
    expect((await get('/batch/')).status).toBe(200)
    for (const reader of readers) reader.destroy()
  })

  test('are sent completely', async () => {
    let bytes = 0
    let text = ''
    for await (const piece of await open()) {
      bytes += (piece as Buffer).length
      text = (text + (piece as Buffer).toString('latin1')).slice(-500)
    }
    expect(bytes).toBeGreaterThan(COUNT * 10_000_000)
    expect(text).toMatch(/}]},"meta":{[^{}]*}}$/)
  })
})
