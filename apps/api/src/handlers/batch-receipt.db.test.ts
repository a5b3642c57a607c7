import type { JobReceipt } from '@subtext/contracts'
import { recordDigestUsage } from '@subtext/core/usage'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { acceptTestBatch, completeTestJob } from '../testing/jobs.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const api = useTestApi({}, () => now)
let key: string
beforeEach(async () => {
  key = await api.createKey()
})

const get = (path: string, as = key) => supertest(api.app).get(`/api/v1${path}`).set('X-API-Key', as)
const receiptOf = async (jobId: string) => (await get(`/videos/receipt/${jobId}`)).body.data as JobReceipt
const USAGE = { inputTokens: 70, outputTokens: 20, cachedInputTokens: 5, cacheWriteTokens: 5, costUsd: 0.000_123 }

test('the receipt of a batch adds up those of its jobs', async () => {
  const batchId = await acceptTestBatch(api.context, key, 3)
  const { jobs } = (await get(`/batch/status/${batchId}`)).body.data
  const ids: string[] = jobs.map((job: { job_id: string }) => job.job_id)
  for (const id of ids.slice(0, 2)) await completeTestJob(api.context, id)
  const { body } = await get(`/batch/receipt/${batchId}`)
  expect(body.data).toMatchObject({ batch_id: batchId, status: 'processing', is_final: false })
  const own = await Promise.all(ids.map(receiptOf))
  expect(body.data.total).toEqual({ cost_usd: 0.002, tokens: own.reduce((sum, { total }) => sum + total.tokens, 0) })
  expect(body.data.lines).toEqual(own.flatMap(({ job_id, lines }) => lines.map((line) => ({ ...line, job_id }))))
  expect(await get(`/batch/receipt/${batchId}`, await api.createKey())).toBeRefused(404, 'NOT_FOUND')
  expect(await get('/batch/receipt/x')).toBeRefused(404, 'NOT_FOUND')
})

test('the receipt of a batch includes what digests of it cost, and is final when they have ended', async () => {
  const [batchId, other] = [await acceptTestBatch(api.context, key, 1), await acceptTestBatch(api.context, key, 1)]
  const digests: string[] = []
  for (const id of [batchId, other]) {
    const [{ job_id: jobId }] = (await get(`/batch/status/${id}`)).body.data.jobs
    await completeTestJob(api.context, jobId)
    const created = await supertest(api.app).post(`/api/v1/batch/digest/${id}`).set('X-API-Key', key).send({})
    digests.push(created.body.data.digest_id)
  }
  const before = (await get(`/batch/receipt/${batchId}`)).body.data
  expect(before.is_final).toBe(false)
  const { userId, apiKeyId } = await holderOf(api.context, key)
  for (const digestId of digests) {
    const paid = { digestId, userId, apiKeyId, model: 'model-a', usage: USAGE, outcome: 'completed' as const }
    await recordDigestUsage(api.context.db, { ...paid, endedAt: now })
  }
  await api.context.db.query(`UPDATE digests SET status = 'completed', completed_at = $1, due_at = NULL`, [now])
  const { lines, total, is_final, quota_effect } = (await get(`/batch/receipt/${batchId}`)).body.data
  expect(is_final).toBe(true)
  expect(lines.slice(0, -1)).toEqual(before.lines)
  expect(lines.at(-1)).toMatchObject({ action: 'digest', quantity: 100, cost_usd: 0.000_123, digest_id: digests[0] })
  expect(total).toEqual({ cost_usd: 0.001_123, tokens: before.total.tokens + 100 })
  expect(quota_effect).toBe(before.quota_effect)
})
