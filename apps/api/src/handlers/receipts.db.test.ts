import { randomUUID } from 'node:crypto'
import { JobReceipt, type ReceiptLine, ServiceError, type UsageReceipt } from '@subtext/contracts'
import { addJobSpending } from '@subtext/core/summaries'
import { recordChatUsage } from '@subtext/core/usage'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import {
  acceptTestJob,
  addTestSummary,
  claimTestJob,
  completeTestJob,
  failTestJob,
  saveTestTranscript,
} from '../testing/jobs.ts'

let now = new Date('2026-11-22T12:00:00.000Z')
const api = useTestApi({}, () => now)
let key: string
beforeEach(async () => {
  key = await api.createKey()
  now = new Date('2026-11-22T12:00:00.000Z')
})

const get = (path: string, as = key) => supertest(api.app).get(`/api/v1${path}`).set('X-API-Key', as)
const receiptOf = async (jobId: string) => (await get(`/videos/receipt/${jobId}`)).body.data as JobReceipt
const brief = (lines: ReceiptLine[]) =>
  lines.map(({ kind, action, quantity, reason }) => [kind, action, quantity, reason].join(' '))
const QUOTA = { daily: 100, monthly: 100 }
const at = (time: string): void => {
  now = new Date(time)
}
const complete = async (as = key): Promise<string> => {
  const jobId = await acceptTestJob(api.context, as, { quota: QUOTA })
  await completeTestJob(api.context, jobId)
  return jobId
}
const USAGE = { inputTokens: 70, outputTokens: 20, cachedInputTokens: 5, cacheWriteTokens: 5, costUsd: 0.000_123 }
/** Charges the job for something that is no summary. */
const spend = (jobId: string) =>
  addJobSpending(api.context.db, {
    id: randomUUID(),
    jobId,
    purpose: 'unusable',
    mode: 'tldr',
    model: 'model-a',
    usage: USAGE,
  })
async function answer(jobId: string, as = key, conversationId = randomUUID()) {
  const { userId, apiKeyId } = await holderOf(api.context, as)
  const message = { jobId, conversationId, messageId: randomUUID(), userId, apiKeyId, model: 'model-a', usage: USAGE }
  await recordChatUsage(api.context.db, { ...message, outcome: 'completed', endedAt: now })
  return message
}

describe('GET /videos/receipt/{job_id}', () => {
  test('lists quota, model and totals of a completed job', async () => {
    const jobId = await complete()
    const { body } = await get(`/videos/receipt/${jobId}`)
    const receipt = JobReceipt.strict().parse(body.data)
    expect(receipt).toMatchObject({ job_id: jobId, status: 'completed', is_final: true, quota_effect: 1 })
    expect(brief(receipt.lines)).toEqual([
      'quota reserve 1 accepted',
      'platform fetch 0 available',
      'model summary 15 written',
    ])
    const { usage } = (await get(`/videos/result/${jobId}`)).body.data
    expect(receipt.total).toEqual({ cost_usd: usage.cost_usd, tokens: usage.total_tokens })
  })

  test('grows while the job runs', async () => {
    const jobId = await acceptTestJob(api.context, key, { quota: QUOTA })
    expect(await receiptOf(jobId)).toMatchObject({ status: 'queued', is_final: false, total: { cost_usd: 0 } })
    await claimTestJob(api.context, jobId)
    await spend(jobId)
    const receipt = await receiptOf(jobId)
    expect(receipt).toMatchObject({ is_final: false, total: { cost_usd: 0.000_123, tokens: 100 } })
    expect(receipt.ended_at).toBeUndefined()
  })

  test('shows that a failed job is free of quota, with what it has cost', async () => {
    const jobId = await acceptTestJob(api.context, key, { quota: QUOTA })
    await claimTestJob(api.context, jobId)
    await spend(jobId)
    await api.context.db.query("UPDATE jobs SET lease_token = NULL, wake_at = now() - interval '1 s' WHERE id = $1", [
      jobId,
    ])
    await failTestJob(api.context, jobId, new ServiceError('SUMMARY_UNAVAILABLE'))
    const { lines, ...receipt } = await receiptOf(jobId)
    expect(brief(lines).sort()).toEqual([
      'model attempt 100 unusable',
      'quota release -1 job_failed',
      'quota reserve 1 accepted',
    ])
    expect(receipt).toMatchObject({ status: 'failed', quota_effect: 0, total: { cost_usd: 0.000_123 } })
  })

  test.each([
    ['returned if nothing was finished', false, 'quota release -1 job_cancelled', 0],
    ['kept if a summary was finished', true, 'quota reserve 1 summary_delivered', 1],
  ])('shows the quota of a cancelled job, %s', async (_, hasSummary, line, effect) => {
    const jobId = await acceptTestJob(api.context, key, { quota: QUOTA })
    await claimTestJob(api.context, jobId)
    if (hasSummary) await addTestSummary(api.context, jobId, await saveTestTranscript(api.context))
    await supertest(api.app).post(`/api/v1/videos/cancel/${jobId}`).set('X-API-Key', key)
    const receipt = await receiptOf(jobId)
    expect(brief(receipt.lines)).toContain(line)
    expect(receipt.quota_effect).toBe(effect)
  })

  test('is found by its owner only, in any spelling of its ID', async () => {
    const jobId = await complete()
    expect((await get(`/videos/receipt/${jobId.toUpperCase()}`)).status).toBe(200)
    const other = await api.createKey()
    for (const id of [jobId, randomUUID(), 'x', "' OR 1=1"]) {
      expect(await get(`/videos/receipt/${encodeURIComponent(id)}`, other)).toBeRefused(404, 'NOT_FOUND')
    }
  })
})

describe('the receipt of a conversation', () => {
  test('lists its answers, and those of no other', async () => {
    const jobId = await complete()
    const first = await answer(jobId)
    const second = await answer(jobId, key, first.conversationId)
    await answer(jobId)
    const path = `/videos/receipt/${jobId}/${first.conversationId}`
    const { body } = await get(path)
    expect(body.data).toMatchObject({
      job_id: jobId,
      conversation_id: first.conversationId,
      total: { cost_usd: 0.000_246, tokens: 200 },
      quota_effect: 0,
    })
    const ids = body.data.lines.map(({ message_id }: ReceiptLine) => message_id)
    expect(ids.sort()).toEqual([first.messageId, second.messageId].sort())
    expect((await receiptOf(jobId)).lines.map(({ action }) => action)).not.toContain('chat')
    expect(await get(path, await api.createKey())).toBeRefused(404, 'NOT_FOUND')
    for (const id of [randomUUID(), 'x', jobId]) {
      expect(await get(`/videos/receipt/${jobId}/${id}`)).toBeRefused(404, 'NOT_FOUND')
    }
  })
})

describe('GET /usage/receipts', () => {
  const list = async (query = '', as = key) => {
    const { body } = await get(`/usage/receipts${query}`, as)
    return body.data as { receipts: UsageReceipt[]; pagination: { next_cursor: string | null; has_more: boolean } }
  }

  test('adds up to every hour of the history, with chats, failures and cancelled jobs', async () => {
    const times = [
      '2026-11-22T08:59:59.999Z',
      '2026-11-22T09:00:00.000Z',
      '2026-11-22T09:59:59.999Z',
      '2026-11-22T10:00:00.000Z',
    ]
    for (const time of times) {
      at(time)
      const jobId = await complete()
      await answer(jobId)
      const failed = await acceptTestJob(api.context, key)
      await claimTestJob(api.context, failed)
      await spend(failed)
      await supertest(api.app).post(`/api/v1/videos/cancel/${failed}`).set('X-API-Key', key)
    }
    const other = await api.createKey()
    await complete(other)
    at('2026-11-22T12:00:00.000Z')
    const { periods } = (await get('/usage/history?granularity=hourly&start_date=2026-11-22T07:00:00Z')).body.data
    expect(periods).toHaveLength(6)
    for (const period of periods) {
      const { receipts } = await list(`?start_date=${period.start_date}&end_date=${period.end_date}`)
      const micro = receipts.reduce((sum, { total }) => sum + Math.round(total.cost_usd * 1e6), 0)
      const tokens = receipts.reduce((sum, { total }) => sum + total.tokens, 0)
      const videos = receipts.filter(({ subject, outcome }) => subject === 'job' && outcome === 'completed')
      expect([micro, tokens, videos.length]).toEqual([
        Math.round(period.total_cost * 1e6),
        period.total_tokens,
        period.videos_processed,
      ])
    }
    expect(periods.map((period: { videos_processed: number }) => period.videos_processed)).toEqual([0, 0, 1, 2, 1, 0])
    expect((await list()).receipts).toHaveLength(times.length * 3)
  })

  test('pages through all of them once, also those that ended at the same moment, newest first', async () => {
    const jobs = [await complete(), await complete(), await complete()]
    const [first = ''] = jobs
    const conversation = await answer(first)
    await answer(first, key, conversation.conversationId)
    const all: UsageReceipt[] = []
    let cursor = ''
    for (let page = 0; page < 10; page++) {
      const { receipts, pagination } = await list(`?limit=2${cursor}`)
      all.push(...receipts)
      expect(receipts.length).toBeLessThanOrEqual(2)
      if (!pagination.has_more) break
      cursor = `&cursor=${pagination.next_cursor}`
    }
    const ids = all.map(({ job_id, message_id }) => message_id ?? job_id)
    expect(new Set(ids).size).toBe(5)
    expect(ids).toHaveLength(5)
    expect(all).toEqual((await list()).receipts)
    at('2026-11-22T13:00:00.000Z')
    const later = await complete()
    expect((await list()).receipts[0]?.job_id).toBe(later)
  })

  test('are those of the calling key, in the range', async () => {
    const { email } = { email: `${randomUUID()}@example.org` }
    const [one, two] = [await api.createKey({ email }), await api.createKey({ email })]
    at('2026-11-20T23:59:59.999Z')
    const jobId = await complete(one)
    expect((await list('', two)).receipts).toEqual([])
    const has = async (query: string) => (await list(query, one)).receipts.map(({ job_id }) => job_id).includes(jobId)
    expect(await has('?start_date=2026-11-20&end_date=2026-11-20')).toBe(true)
    expect(await has('?end_date=2026-11-20T23:59:59.999Z')).toBe(false)
    expect(await has('?start_date=2026-11-20T23:59:59.999Z')).toBe(true)
    expect(await has('?start_date=2026-11-21')).toBe(false)
    expect(await has('?end_date=2026-11-19')).toBe(false)
  })

  test('come as CSV or NDJSON, by format or Accept, with everything in the range', async () => {
    const reference = '=cmd|"x"'
    const jobId = await acceptTestJob(api.context, key, { clientReference: reference, quota: QUOTA })
    await completeTestJob(api.context, jobId)
    await answer(jobId)
    const csv = await get('/usage/receipts?format=csv&limit=1&download=1')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="receipts.csv"')
    expect(csv.text.startsWith('\ufeffended_at,subject,job_id')).toBe(true)
    const rows = csv.text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(1 + 3 + 1)
    expect(csv.text).toContain(`"'=cmd|""x"""`)
    const ndjson = await get('/usage/receipts')
      .set('Accept', 'application/x-ndjson')
      .buffer(true)
      .parse((response, done) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => done(null, text))
      })
    expect(ndjson.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const read = String(ndjson.body)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(read).toEqual((await list()).receipts)
    expect((await get('/usage/receipts?format=json').set('Accept', 'text/csv')).headers['content-type']).toMatch(/json/)
    expect((await get('/usage/receipts').set('Accept', 'text/csv')).text.startsWith('ended_at')).toBe(true)
  })

  test.each([
    ['an unknown format', '?format=pdf', 'query.format'],
    ['a range that ends before it starts', '?start_date=2026-11-22&end_date=2026-11-21', 'query.end_date'],
    ['a limit out of range', '?limit=101', 'query.limit'],
    ['an invalid date', '?start_date=yesterday', 'query.start_date'],
    ['an invalid cursor', '?cursor=x', 'query.cursor'],
    ['an invalid cursor, for a document', '?cursor=x&format=csv', 'query.cursor'],
    ['an unknown parameter', '?offset=3', 'query.offset'],
  ])('are refused for %s', async (_, query, path) => {
    expect(await get(`/usage/receipts${query}`)).toBeRefused(400, 'VALIDATION_ERROR', path)
  })

  test('are refused for a cursor of another key, and in a form that does not exist', async () => {
    for (let job = 0; job < 2; job++) await complete()
    const { next_cursor: cursor } = (await list('?limit=1')).pagination
    const other = await api.createKey()
    expect(await get(`/usage/receipts?cursor=${cursor}`, other)).toBeRefused(400, 'VALIDATION_ERROR', 'query.cursor')
    expect(await get('/usage/receipts').set('Accept', 'image/png')).toBeRefused(406, 'NOT_ACCEPTABLE')
  })
})
