import { randomUUID } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import { addJobSummary } from '@subtext/core/summaries'
import { recordWebhookEvent } from '@subtext/core/webhooks'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import {
  acceptTestBatch,
  acceptTestJob,
  addTestInfographic,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  endTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'
import { newVideoId, useTestLibrary } from '../testing/library.ts'

const api = useTestApi()
const { find, say } = useTestLibrary(api)

const as = (key: string) => ({ 'X-API-Key': key })
const get = async (key: string, path: string) => supertest(api.app).get(`/api/v1${path}`).set(as(key))
const remove = (key: string, jobId: string) => supertest(api.app).delete(`/api/v1/videos/${jobId}`).set(as(key))
const derive = (key: string, jobId: string) =>
  supertest(api.app)
    .post(`/api/v1/videos/derive/${jobId}`)
    .set(as(key))
    .send({ summary_modes: ['detailed'] })
const count = async (table: string, condition: string, id: string): Promise<number> => {
  const { rows } = await api.context.db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    [id],
  )
  return rows[0]?.count ?? 0
}

async function complete(key: string, videoId = newVideoId()): Promise<string> {
  const jobId = await acceptTestJob(api.context, key, { id: newId(), videoId })
  await completeTestJob(api.context, jobId)
  return jobId
}

/** Completes a job with a transcript and a summary, by default a new one, that other jobs may share. */
async function completeWith(key: string, transcriptId: string, summaryId: string | null = null): Promise<string> {
  const jobId = await acceptTestJob(api.context, key, { id: newId() })
  const lease = await claimTestJob(api.context, jobId)
  if (summaryId === null) await addTestSummary(api.context, jobId, transcriptId)
  else await addJobSummary(api.context.db, { jobId, mode: 'tldr', summaryId, reused: false })
  await endTestJob(api.context, lease, transcriptId)
  return jobId
}

const transcriptOf = async (jobId: string): Promise<string> =>
  (await api.context.db.prisma.result.findUniqueOrThrow({ where: { jobId } })).transcriptId

test('a deleted job is gone everywhere, with what it held', async () => {
  const key = await api.createKey()
  const jobId = await say(key, ['the harbor'])
  const other = await say(key, ['the anchor'])
  await addTestInfographic(api.context, jobId)
  const asked = await supertest(api.app)
    .post(`/api/v1/videos/chat/${jobId}`)
    .set(as(key))
    .send({ message: 'What about the harbor?' })
  expect(asked.status).toBe(200)
  const transcriptId = await transcriptOf(jobId)
  expect(await find(key, 'harbor')).toEqual([jobId])

  const { status, text, headers } = await remove(key, jobId)
  expect([status, text, headers['content-type']]).toEqual([204, '', undefined])
  for (const path of ['status', 'result', 'events', 'chat', 'infographic']) {
    expect([path, (await get(key, `/videos/${path}/${jobId}`)).status]).toEqual([path, 404])
  }
  expect((await get(key, `/videos/export/${jobId}/pdf`)).status).toBe(404)
  expect((await remove(key, jobId)).status).toBe(404)
  expect(await find(key, 'harbor')).toEqual([])
  const { jobs, pagination } = (await get(key, '/videos/')).body.data
  expect([jobs.map((job: { job_id: string }) => job.job_id), pagination.total]).toEqual([[other], 1])
  const owned = ['results', 'job_summaries', 'job_spendings', 'chat_conversations', 'infographics', 'library_entries']
  for (const table of owned) expect([table, await count(table, 'job_id = $1', jobId)]).toEqual([table, 0])
  expect(await count('transcripts', 'id = $1', transcriptId)).toBe(0)
  expect(await count('summaries', 'transcript_id = $1', transcriptId)).toBe(0)
})

test('a failed job is deleted, and an unfinished one refused', async () => {
  const key = await api.createKey()
  const [waiting, failed] = [
    await acceptTestJob(api.context, key, { id: newId(), videoId: newVideoId() }),
    await acceptTestJob(api.context, key, { id: newId() }),
  ]
  await failTestJob(api.context, failed, new ServiceError('VIDEO_UNAVAILABLE'))
  expect((await remove(key, failed)).status).toBe(204)
  expect((await get(key, '/videos/?status=failed')).body.data.pagination.total).toBe(0)
  const { status, body, headers } = await remove(key, waiting)
  expect([status, body.error.code, body.error.details]).toEqual([
    409,
    'JOB_NOT_COMPLETED',
    { status: 'queued', progress_percentage: 0 },
  ])
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect((await get(key, '/videos/')).body.data.pagination.total).toBe(1)
})

test('a job that is unknown, malformed or of another account is not found', async () => {
  const [key, other] = [await api.createKey(), await api.createKey()]
  const jobId = await complete(key)
  for (const id of [randomUUID(), 'nonsense', `${jobId}0`]) expect((await remove(key, id)).status).toBe(404)
  expect((await remove(other, jobId)).status).toBe(404)
  expect((await get(key, `/videos/result/${jobId}`)).status).toBe(200)
})

test('deleting needs the scope write, and takes no other method for its path', async () => {
  const key = await api.createKey()
  const jobId = await complete(key)
  const reader = await api.createKey({ email: 'reader@example.org', scopes: ['read'] })
  expect((await remove(reader, jobId)).body.error.code).toBe('INSUFFICIENT_SCOPE')
  const { status, headers } = await get(key, `/videos/${jobId}`)
  expect([status, headers.allow]).toEqual([405, 'DELETE'])
  // The names of other paths are still looked up.
  expect((await get(key, '/videos/thumbnail')).body.error.message).toContain('/videos/thumbnails')
})

test('usage, quota and receipts stay as they are, the receipt as a sum', async () => {
  const key = await api.createKey()
  const batchId = await acceptTestBatch(api.context, key, 2)
  const batch = (await get(key, `/batch/status/${batchId}`)).body.data
  for (const { job_id } of batch.jobs) await completeTestJob(api.context, job_id)
  const [{ job_id: jobId }] = batch.jobs
  const read = async () => {
    const { receipts } = (await get(key, '/usage/receipts')).body.data
    return {
      current: (await get(key, '/usage/current')).body.data.current_period,
      quotas: (await get(key, '/usage/current')).body.data.quotas,
      totals: receipts.map(({ job_id, total, quota_effect, outcome }: Record<string, unknown>) => ({
        job_id,
        total,
        quota_effect,
        outcome,
      })),
      receipt: (await get(key, `/videos/receipt/${jobId}`)).body.data.total,
      batch: (await get(key, `/batch/receipt/${batchId}`)).body.data.total,
    }
  }
  const before = await read()
  expect((await remove(key, jobId)).status).toBe(204)
  const after = await read()
  expect({ ...after, current: null }).toEqual({ ...before, current: null })
  expect(after.current.total_cost_usd).toEqual(before.current.total_cost_usd)
  const { lines, video_id, is_final } = (await get(key, `/videos/receipt/${jobId}`)).body.data
  expect([lines.at(-1).action, lines.at(-1).reason, video_id, is_final]).toEqual(['total', 'deleted', undefined, true])
  expect((await get(key, '/usage/receipts?format=csv')).text).toContain(jobId)
  expect((await get(await api.createKey(), `/videos/receipt/${jobId}`)).status).toBe(404)
})

test('a batch answers without its deleted jobs, and counts them still', async () => {
  const key = await api.createKey()
  const batchId = await acceptTestBatch(api.context, key, 3)
  const ids: string[] = (await get(key, `/batch/status/${batchId}`)).body.data.jobs.map(
    ({ job_id }: { job_id: string }) => job_id,
  )
  const [first = '', second = '', third = ''] = ids
  await completeTestJob(api.context, first)
  // While the batch is being processed.
  expect((await remove(key, first)).status).toBe(204)
  await completeTestJob(api.context, second)
  await completeTestJob(api.context, third)
  const statusOf = async () => (await get(key, `/batch/status/${batchId}`)).body.data
  expect(await statusOf()).toMatchObject({
    status: 'completed',
    progress_percentage: 100,
    summary_stats: { total: 3, successful: 3, failed: 0 },
    jobs: [
      { index: 1, job_id: second },
      { index: 2, job_id: third },
    ],
  })
  for (const id of [second, third]) expect((await remove(key, id)).status).toBe(204)
  expect(await statusOf()).toMatchObject({ status: 'completed', summary_stats: { total: 3 }, jobs: [] })
  const results = await get(key, `/batch/results/${batchId}?include_failed=true`)
  expect([results.status, results.body.data.successful_jobs]).toEqual([200, []])
  expect((await get(key, `/batch/receipt/${batchId}`)).status).toBe(200)
  expect((await get(key, '/batch/')).body.data.batches[0].batch_id).toBe(batchId)
})

describe('the cache', () => {
  test('keeps the captions and summaries that another job uses, of whichever account, until it is deleted, too', async () => {
    const [key, other] = [await api.createKey(), await api.createKey()]
    const transcriptId = await saveTestTranscript(api.context)
    const mine = await completeWith(key, transcriptId)
    const { summaryId } = await api.context.db.prisma.jobSummary.findFirstOrThrow({ where: { jobId: mine } })
    const theirs = await completeWith(other, transcriptId, summaryId)
    expect((await remove(key, mine)).status).toBe(204)
    expect(await count('transcripts', 'id = $1', transcriptId)).toBe(1)
    expect(Object.keys((await get(other, `/videos/result/${theirs}`)).body.data.summaries)).toEqual(['tldr'])
    expect((await remove(other, theirs)).status).toBe(204)
    expect(await count('transcripts', 'id = $1', transcriptId)).toBe(0)
    expect(await count('summaries', 'id = $1', summaryId)).toBe(0)
  })

  test('keeps what an unfinished job about the video may be about to use', async () => {
    const key = await api.createKey()
    const videoId = newVideoId()
    const jobId = await complete(key, videoId)
    const transcriptId = await transcriptOf(jobId)
    await api.context.db.query('UPDATE transcripts SET video_id = $2 WHERE id = $1', [transcriptId, videoId])
    await acceptTestJob(api.context, await api.createKey(), { id: newId(), videoId })
    expect((await remove(key, jobId)).status).toBe(204)
    expect(await count('transcripts', 'id = $1', transcriptId)).toBe(1)
  })
})

test('a derived job stays whole, and its source is kept until it has ended', async () => {
  const key = await api.createKey()
  const source = await complete(key)
  const { job_id: derived } = (await derive(key, source)).body.data
  const refused = await remove(key, source)
  expect([refused.status, refused.body.error.code]).toEqual([409, 'JOB_NOT_COMPLETED'])
  expect(refused.body.error.message).toContain('derived')
  await completeTestJob(api.context, derived, { mode: 'detailed' })
  const before = (await get(key, `/videos/result/${derived}`)).body.data
  expect((await remove(key, source)).status).toBe(204)
  expect((await get(key, `/videos/result/${derived}`)).body.data).toEqual(before)
  expect(Object.keys(before.summaries).sort()).toEqual(['detailed', 'tldr'])
  expect((await get(key, `/videos/receipt/${derived}`)).body.data.derived_from).toBe(source)
  expect((await derive(key, source)).status).toBe(404)
  expect((await derive(key, derived)).status).toBe(202)
})

test('the newest job that is left of a video is found by searches', async () => {
  const key = await api.createKey()
  const videoId = newVideoId()
  const jobs = [
    await say(key, ['one harbor'], { videoId }),
    await say(key, ['two harbor'], { videoId }),
    await say(key, ['three harbor'], { videoId }),
  ]
  const [first, second, third] = jobs as [string, string, string]
  expect(await find(key, 'harbor')).toEqual([third])
  expect((await remove(key, second)).status).toBe(204)
  expect(await find(key, 'harbor')).toEqual([third])
  expect((await remove(key, third)).status).toBe(204)
  expect(await find(key, 'harbor')).toEqual([first])
  expect(await find(key, 'three')).toEqual([])
  expect((await remove(key, first)).status).toBe(204)
  expect(await find(key, 'harbor')).toEqual([])
})

test('deliveries of its events are dropped, and cannot be requested again', async () => {
  const key = await api.createKey()
  const jobId = await complete(key)
  const { userId } = await api.context.db.prisma.job.findUniqueOrThrow({ where: { id: jobId } })
  const deliveryId = randomUUID()
  await recordWebhookEvent(api.context.db, {
    id: randomUUID(),
    deliveryId,
    userId,
    type: 'job.completed',
    subjectId: jobId,
    url: 'https://example.org/hook',
    body: Buffer.from('{"transcript":"the harbor"}'),
    createdAt: new Date(),
  })
  expect((await get(key, '/webhooks/deliveries')).body.data.deliveries).toHaveLength(1)
  expect((await remove(key, jobId)).status).toBe(204)
  expect((await get(key, '/webhooks/deliveries')).body.data.deliveries).toEqual([])
  const again = await supertest(api.app).post(`/api/v1/webhooks/deliveries/${deliveryId}/redeliver`).set(as(key))
  expect(again.status).toBe(404)
  expect(await count('webhook_events', 'subject_id = $1', jobId)).toBe(0)
})

test('two requests at the same time delete a job once', async () => {
  const key = await api.createKey()
  const jobId = await complete(key)
  const answers = await Promise.all([remove(key, jobId), remove(key, jobId), remove(key, jobId)])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  expect((await get(key, '/videos/')).body.data.pagination.total).toBe(0)
})
