import { readResults } from '@subtext/core/batches'
import { askQuestion } from '@subtext/core/chats'
import { getResult } from '@subtext/core/jobs'
import type { Db } from '@subtext/db'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestJob, completeTestJob } from '../testing/jobs.ts'

const api = useTestApi()
let key: string

beforeAll(async () => {
  key = await api.createKey()
})

async function completeOne(): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, id)
  return id
}

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
    const jobId = await completeOne()
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
    const kept = await completeOne()
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

test('reports an error instead of a short result that cannot be read, without the headers of the result', async () => {
  const jobId = await completeOne()
  await api.context.db.query(
    'DELETE FROM transcript_parts WHERE transcript_id = (SELECT transcript_id FROM results WHERE job_id = $1)',
    [jobId],
  )
  for (const query of ['', '?format=markdown&download=1']) {
    const path = `/api/v1/videos/result/${jobId}${query}`
    const { status, headers, body } = await supertest(api.app).get(path).set('Authorization', `Bearer ${key}`)
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(headers).not.toHaveProperty('etag')
    expect(headers).not.toHaveProperty('content-disposition')
  }
})
