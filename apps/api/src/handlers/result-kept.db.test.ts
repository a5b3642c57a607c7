import { RESULT_FORMATS } from '@subtext/contracts'
import { readResults } from '@subtext/core/batches'
import { askQuestion } from '@subtext/core/chats'
import { getResult } from '@subtext/core/jobs'
import type { Db } from '@subtext/db'
import { useTestApi } from '../testing/api.ts'
import { type CountingServer, serveCounting } from '../testing/count-parts-read.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let server: CountingServer
let key: string

beforeAll(async () => {
  server = await serveCounting(api)
  key = await api.createKey()
})

async function completeOne(text: string, repeat = 1): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  const cues = Array.from({ length: repeat }, (_, index) => ({ startMs: index * 1_000, durationMs: 1_000, text }))
  await completeTestJob(api.context, id, { cues })
  return id
}

/** Sends a request. `fetch` accepts compressed responses by default. */
async function read(jobId: string, query = '', headers: Record<string, string> = {}, method = 'GET') {
  const url = `http://127.0.0.1:${server.port}/api/v1/videos/result/${jobId}${query}`
  const response = await fetch(url, { method, headers: { 'X-API-Key': key, 'X-Request-Id': 'the-same-1', ...headers } })
  // `text()` would leave out the byte order mark.
  const text = Buffer.from(await response.arrayBuffer()).toString()
  return {
    status: response.status,
    headers: response.headers,
    text: text.replace(/"timestamp":"[^"]*"/, '"timestamp":""'),
  }
}

const NAMES = ['content-type', 'content-encoding', 'content-disposition', 'etag', 'cache-control', 'vary']
const FORMATS = ['', ...RESULT_FORMATS.map((format) => `?format=${format}`), '?format=csv&download=1']

test.each(FORMATS)('sends a short result again from memory, and nothing about it changes (%s)', async (query) => {
  const jobId = await completeOne('Über “rivers” \u2028 and seas. 🌊', 200)
  for (const encoding of ['identity', 'gzip', 'br']) {
    const before = await read(jobId, query, { 'Accept-Encoding': encoding })
    server.partsRead = 0
    const after = await read(jobId, query, { 'Accept-Encoding': encoding })
    expect(server.partsRead).toBe(0)
    expect([after.status, after.text]).toEqual([200, before.text])
    for (const name of NAMES) expect([name, after.headers.get(name)]).toEqual([name, before.headers.get(name)])
  }
  const head = await read(jobId, query, {}, 'HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
})

test('keeps the variants of a result apart', async () => {
  const jobId = await completeOne('One sentence.')
  const queries = [...FORMATS, '?format=csv&bom=true', '?format=markdown&download=1']
  const first = await Promise.all(queries.map((query) => read(jobId, query)))
  const second = await Promise.all(queries.map((query) => read(jobId, query)))
  expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text))
  const describe = ({ text, headers }: (typeof first)[number]) => `${headers.get('content-disposition')} ${text}`
  expect(new Set(second.map(describe)).size).toBe(queries.length)
})

test('sends a kept result to nobody else, and to nobody once its job is deleted', async () => {
  const jobId = await completeOne('Mine alone.')
  for (let time = 0; time < 2; time++) expect((await read(jobId)).status).toBe(200)
  const stranger = await api.createKey()
  expect((await read(jobId, '', { 'X-API-Key': stranger })).status).toBe(404)
  await api.context.db.query('DELETE FROM jobs WHERE id = $1', [jobId])
  expect((await read(jobId)).status).toBe(404)
})

describe('a job that is deleted while its result is read', () => {
  /** A store in which the job is deleted right after the first statement. */
  const deletingAfterFirst = (db: Db, jobId: string): Db => {
    let isDeleted = false
    const query: Db['query'] = async (text, values) => {
      const found = await db.query(text, values)
      if (!isDeleted) {
        isDeleted = true
        await db.query('WITH gone AS (DELETE FROM results WHERE job_id = $1) DELETE FROM jobs WHERE id = $1', [jobId])
      }
      return found as never
    }
    return { ...db, query }
  }
  const open = async () => {
    const jobId = await completeOne('Gone in a moment.')
    const { context } = api
    return {
      jobId,
      actor: await context.verifyKey(key),
      ctx: { ...context, db: deletingAfterFirst(context.db, jobId) },
    }
  }

  test('is not found', async () => {
    const { jobId, actor, ctx } = await open()
    await expect(getResult(ctx, actor, jobId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is left out of the results of its batch', async () => {
    const { jobId, actor, ctx } = await open()
    const kept = await completeOne('Still there.')
    const jobs = [jobId, kept].map((id) => ({ id, status: 'completed' as const }))
    const found: string[] = []
    for await (const { job } of readResults(ctx, actor, jobs)) found.push(job.id)
    expect(found).toEqual([kept])
  })

  test('takes no question', async () => {
    const { jobId, actor, ctx } = await open()
    const asked = askQuestion(ctx, { ...actor, plan: 'pro' }, jobId, {
      message: 'What is it about?',
      stream: false,
      regenerate: false,
    })
    await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

test.each(['', '?format=json'])('renders the transcript of a video once for all of its jobs (%s)', async (query) => {
  const jobIds = await Promise.all(['One sentence.', 'Another sentence.'].map((text) => completeOne(text, 50)))
  const before = await Promise.all(jobIds.map((jobId) => read(jobId, query)))
  const sibling = await completeOne('Its own sentence.')
  const other = await completeOne('Its own sentence.')
  const SHARE = `UPDATE results SET transcript_id = source.transcript_id, cue_count = $3
    FROM results source WHERE source.job_id = $1 AND results.job_id = $2`
  await api.context.db.query(SHARE, [jobIds[1], sibling, 50])
  await api.context.db.query(SHARE, [jobIds[1], other, 49])
  server.partsRead = 0
  const transcriptOf = ({ text }: { text: string }) => JSON.parse(text).data.transcript
  const shared = await read(sibling, query)
  expect(server.partsRead).toBe(0)
  expect(transcriptOf(shared)).toEqual(transcriptOf(before[1] ?? shared))
  expect(transcriptOf(shared)).not.toEqual(transcriptOf(before[0] ?? shared))
  expect(JSON.parse(shared.text).data.job_id).toBe(sibling)
  // Another part of the same transcript is another text.
  const shorter = await read(other, query)
  expect(server.partsRead).toBe(1)
  expect(shorter.text.split('Another sentence.').length).toBe(shared.text.split('Another sentence.').length - 1)
})

test('reports an error instead of a short result that cannot be read, without the headers of the result', async () => {
  const jobId = await completeOne('Nobody can read this.')
  await api.context.db.query(
    'DELETE FROM transcript_parts WHERE transcript_id = (SELECT transcript_id FROM results WHERE job_id = $1)',
    [jobId],
  )
  for (const query of ['', '?format=markdown&download=1']) {
    const { status, headers, text } = await read(jobId, query)
    expect([status, JSON.parse(text).error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(headers.get('etag')).toBeNull()
    expect(headers.get('content-disposition')).toBeNull()
    expect(headers.get('cache-control')).toBe('no-store')
  }
})

test('does not keep a long result', async () => {
  const jobId = await completeOne('x'.repeat(400), 2_000)
  for (let time = 0; time < 2; time++) {
    server.partsRead = 0
    expect((await read(jobId)).status).toBe(200)
    expect(server.partsRead).toBeGreaterThan(1)
  }
})

test('does not keep what a caller has not received to its end', async () => {
  const jobId = await completeOne('A sentence of a result that nobody has read.', 500)
  await read(jobId, '', {}, 'HEAD')
  server.partsRead = 0
  await read(jobId)
  expect(server.partsRead).toBeGreaterThan(0)
})
