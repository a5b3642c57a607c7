import { MAX_DERIVED_JOBS, MAX_TABLE_ROWS, ServiceError, VideoTable } from '@subtext/contracts'
import { saveExtraction } from '@subtext/core/templates'
import supertest from 'supertest'
import { v7 as newId } from 'uuid'
import { useTestApi } from '../testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob, failTestJob } from '../testing/jobs.ts'
import { useTestLibrary } from '../testing/library.ts'

const api = useTestApi({ ANTHROPIC_API_KEY: 'key of nobody' })
const { find } = useTestLibrary(api)
let key: string
beforeAll(async () => {
  key = await api.createKey()
})

const post = (path: string, body: object, as = key) =>
  supertest(api.app).post(`/api/v1${path}`).set('X-API-Key', as).send(body)
const read = (id: string, query = '', as = key) =>
  supertest(api.app).get(`/api/v1/tables/${id}${query}`).set('X-API-Key', as)
const complete = async (as = key): Promise<string> => {
  const jobId = await acceptTestJob(api.context, as, { id: newId() })
  await completeTestJob(api.context, jobId)
  return jobId
}
const listBatchJobs = async (batchId: string): Promise<string[]> =>
  (await api.context.db.prisma.job.findMany({ where: { batchId }, orderBy: { batchIndex: 'asc' } })).map(({ id }) => id)
const QUESTION = 'Who | what falls?'

/** Completes the job that fills a row, as a worker does. */
async function answer(jobId: string, data: object, pointer: string): Promise<string> {
  const derived = await api.context.db.prisma.job.findFirstOrThrow({ where: { derivedFrom: jobId } })
  const pinned = (derived.options as { pinned_templates: { name: string }[] }).pinned_templates[0]
  await saveExtraction(
    api.context.db,
    {
      jobId: derived.id,
      name: pinned?.name ?? '',
      version: 1,
      schema: { type: 'object', properties: {} },
      cacheKey: Buffer.from(derived.id),
      content: {
        data,
        evidence: { [pointer]: [{ segmentId: 1, startMs: 2_000, quote: 'Rain falls.' }] },
        unsupported: [],
        model: 'm',
      },
    },
    new Date(),
  )
  await completeTestJob(api.context, derived.id)
  return derived.id
}

test('asks questions of several videos, and gives the answers with their lines as JSON, CSV and Markdown', async () => {
  const [first, second] = [await complete(), await complete()]
  const created = await post('/library/table', { job_ids: [first, second], questions: [QUESTION, 'Why?'] })
  expect(created.status).toBe(202)
  const { table_id: id } = VideoTable.parse(created.body.data)
  expect(created.headers.location).toBe(`/api/v1/tables/${id}`)
  expect((await read(id)).body.data).toMatchObject({ status: 'processing', columns: [QUESTION, 'Why?'] })
  await answer(first, { answer_1: '=Rain falls.', answer_2: null }, '/answer_1')
  await answer(second, { answer_1: null, answer_2: null }, '/none')
  const done = await read(id)
  expect(done.headers['retry-after']).toBeUndefined()
  expect(done.body.data).toMatchObject({
    status: 'completed',
    rows: [
      {
        job_id: first,
        video_id: 'dQw4w9WgXcQ',
        video_title: 'Rivers & the sea',
        cells: {
          [QUESTION]: { value: '=Rain falls.', citations: [{ segment_id: 1, start: 2, quote: 'Rain falls.' }] },
          'Why?': null,
        },
      },
      { job_id: second, cells: { [QUESTION]: null, 'Why?': null } },
    ],
  })
  const csv = await read(id, '?format=csv')
  expect(csv.text.split('\r\n')[1]).toBe(
    '"Rivers & the sea","https://www.youtube.com/watch?v=dQw4w9WgXcQ","\'=Rain falls.",""',
  )
  expect((await read(id, '?format=markdown')).text).toContain(
    '| Who \\| what falls? | Why? |\n| --- | --- | --- | --- |',
  )
  const deleted = await supertest(api.app).delete(`/api/v1/videos/${first}`).set('X-API-Key', key)
  expect(deleted.status).toBe(204)
  expect((await read(id)).body.data.rows[0]).toMatchObject({ video_title: null, cells: { [QUESTION]: null } })
  for (const query of ['', '?format=csv', '?format=markdown'])
    expect((await read(id, query)).text).not.toContain('Rain')
})

test('fills a template for the videos of a batch, and leaves failed ones empty', async () => {
  const batchId = await acceptTestBatch(api.context, key, 2)
  const path = `/batch/table/${batchId}`
  const early = await post(path, { template: 'action_items' })
  expect([early.status, early.body.error.code]).toEqual([409, 'JOB_NOT_COMPLETED'])
  const [first = '', second = ''] = await listBatchJobs(batchId)
  await completeTestJob(api.context, first)
  await failTestJob(api.context, second, new ServiceError('VIDEO_UNAVAILABLE'))
  const { table_id: id } = (await post(path, { template: 'action_items' })).body.data
  await answer(first, { items: [{ text: 'Water the plants.' }] }, '/items/0/text')
  expect((await read(id)).body.data).toMatchObject({
    status: 'completed',
    columns: ['items'],
    rows: [{ cells: { items: { value: [{ text: 'Water the plants.' }] } } }, { cells: { items: null } }],
  })
})

test.each([
  ['neither a template nor questions', {}, 'template'],
  ['both', { template: 'quotes', questions: ['Why?'] }, 'template'],
  ['an unknown template', { template: 'nothing' }, 'template'],
  ['a question twice', { questions: ['Why?', 'Why?'] }, 'questions.1'],
  ['an empty question', { questions: [' '] }, 'questions.0'],
])('refuses %s', async (_, subject, path) => {
  const refused = await post('/library/table', { job_ids: [await complete()], ...subject })
  expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([400, path])
})

test('refuses a batch of too many videos, jobs that are unfinished, and what belongs to others', async () => {
  const batchId = await acceptTestBatch(api.context, key, MAX_TABLE_ROWS + 1)
  for (const jobId of await listBatchJobs(batchId)) await completeTestJob(api.context, jobId)
  expect((await post(`/batch/table/${batchId}`, { template: 'quotes' })).status).toBe(400)
  const unfinished = await acceptTestJob(api.context, key, { id: newId() })
  const body = (id: string) => ({ job_ids: [id], template: 'quotes' })
  expect((await post('/library/table', body(unfinished))).body.error.code).toBe('JOB_NOT_COMPLETED')
  const own = await complete()
  const other = await api.createKey()
  expect((await post('/library/table', body(own), other)).status).toBe(404)
  expect((await post('/library/table', body('nothing'))).status).toBe(404)
  const { table_id: id } = (await post('/library/table', body(own))).body.data
  expect((await read(id, '', other)).status).toBe(404)
  expect((await read('nothing')).status).toBe(404)
})

describe('when a video of a table is deleted', () => {
  const remove = (jobId: string, as: string) =>
    supertest(api.app).delete(`/api/v1/videos/${jobId}`).set('X-API-Key', as)
  const list = async (as: string): Promise<string[]> =>
    (await supertest(api.app).get('/api/v1/videos/').set('X-API-Key', as)).body.data.jobs.map(
      ({ job_id }: { job_id: string }) => job_id,
    )
  const table = (jobId: string, as: string) => post('/library/table', { job_ids: [jobId], questions: [QUESTION] }, as)

  test('the jobs that fill its rows go with it, and nothing that it says is found', async () => {
    const own = await api.createKey()
    const source = await complete(own)
    await table(source, own)
    const row = await answer(source, { answer_1: 'Rain falls.' }, '/answer_1')
    // A table over the row of another.
    await table(row, own)
    const rowOfRow = await answer(row, { answer_1: 'Rain falls.' }, '/answer_1')
    expect(await list(own)).toEqual([rowOfRow, row, source])
    expect(await find(own, 'rain')).toEqual([rowOfRow])
    expect((await remove(source, own)).status).toBe(204)
    expect(await list(own)).toEqual([])
    expect(await find(own, 'rain')).toEqual([])
    const { prisma } = api.context.db
    expect(await prisma.jobExtraction.count({ where: { jobId: { in: [row, rowOfRow] } } })).toBe(0)
  })

  test('a job that the account derived itself stays whole, from whichever job', async () => {
    const own = await api.createKey()
    const source = await complete(own)
    await table(source, own)
    const row = await answer(source, { answer_1: null }, '/none')
    const derive = (jobId: string) => post(`/videos/derive/${jobId}`, { templates: ['action_items'] }, own)
    const ofSource: string = (await derive(source)).body.data.job_id
    await completeTestJob(api.context, ofSource)
    const ofRow: string = (await derive(row)).body.data.job_id
    const refused = await remove(source, own)
    expect([refused.status, refused.body.error.code]).toEqual([409, 'JOB_NOT_COMPLETED'])
    await completeTestJob(api.context, ofRow)
    expect((await remove(source, own)).status).toBe(204)
    expect(await list(own)).toEqual([ofRow, ofSource])
    expect(await find(own, 'rain')).toEqual([ofRow])
  })

  test('it is refused while a row is being filled, and other jobs of the video stay', async () => {
    const own = await api.createKey()
    const [other, source] = [await complete(own), await complete(own)]
    await table(source, own)
    expect((await remove(source, own)).body.error.code).toBe('JOB_NOT_COMPLETED')
    const row = await answer(source, { answer_1: null }, '/none')
    const answers = await Promise.all([remove(source, own), remove(row, own), remove(row, own), remove(source, own)])
    for (const { status } of answers) expect([204, 404]).toContain(status)
    expect(await list(own)).toEqual([other])
    expect(await find(own, 'rain')).toEqual([other])
  })
})

test('leaves neither table nor jobs if one of its rows cannot be filled', async () => {
  const [fillable, exhausted] = [await complete(), await complete()]
  const subject = { template: 'quotes' }
  for (let nth = 0; nth < MAX_DERIVED_JOBS; nth++) await post('/library/table', { job_ids: [exhausted], ...subject })
  const refused = await post('/library/table', { job_ids: [fillable, exhausted], questions: [QUESTION] })
  expect([refused.status, refused.body.error.details.quota]).toEqual([429, 'derive'])
  const { prisma } = api.context.db
  expect(await prisma.job.count({ where: { derivedFrom: fillable } })).toBe(0)
  expect(await prisma.job.count({ where: { derivedFrom: exhausted } })).toBe(MAX_DERIVED_JOBS)
})

test('needs a language model and the Pro plan', async () => {
  const body = { job_ids: [await complete()], template: 'quotes' }
  await api.withEnv({ ANTHROPIC_API_KEY: '' }, async (app) => {
    const refused = await supertest(app).post('/api/v1/library/table').set('X-API-Key', key).send(body)
    expect(refused).toBeRefused(503, 'SUMMARY_UNAVAILABLE')
    expect(refused.body.error).toMatchObject({
      message: 'Tables need a language model, and this installation has none.',
      retryable: false,
    })
  })
  const plus = await api.createKey({ plan: 'plus' })
  expect((await post('/library/table', body, plus)).body.error.code).toBe('PLAN_UPGRADE_REQUIRED')
})
