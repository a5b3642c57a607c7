import { API_PREFIX } from '@subtext/contracts'
import { hashApiKey } from '@subtext/core/api-keys'
import supertest from 'supertest'
import type { TestApi } from './api.ts'
import { VIDEO_URL } from './jobs.ts'

/** Requests a test event, and returns its delivery. */
export async function sendTestEvent(api: TestApi, apiKey: string): Promise<string> {
  const request = supertest(api.app).post(`${API_PREFIX}/webhooks/test`).set('X-API-Key', apiKey)
  return (await request.send({ url: 'https://hooks.example.org/subtext' })).body.data.delivery_id
}

/** Submits a batch of one video, and returns it. */
export async function submitTestBatch(api: TestApi, apiKey: string): Promise<string> {
  const request = supertest(api.app).post(`${API_PREFIX}/batch/process`).set('X-API-Key', apiKey)
  return (await request.send({ videos: [{ url: VIDEO_URL }] })).body.data.batch_id
}

/** Creates a key that one of the columns makes invalid. */
export async function createInvalidKey(
  api: TestApi,
  column: 'revoked_at' | 'disabled_at' | 'expires_at',
): Promise<string> {
  const key = await api.createKey()
  await api.context.db.query(`UPDATE api_keys SET ${column} = now() - interval '1 second' WHERE hash = $1`, [
    hashApiKey(key),
  ])
  return key
}
