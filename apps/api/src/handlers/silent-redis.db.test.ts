import { sendTestEvent } from '@subtext/core/webhooks'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'

const RECEIVER = 'http://127.0.0.1:9/hook'

let api: TestApi
let key: string
beforeAll(async () => {
  api = await openTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  key = await api.createKey()
})
afterAll(() => api.close())

/** A Redis that is there and never answers. */
const silent = () => new Promise<never>(() => {})

test.each<[string, () => Promise<[path: string, body?: object]>, number]>([
  ['cancels a job', async () => [`/videos/cancel/${await acceptTestJob(api.context, key)}`], 200],
  ['takes a video in', async () => ['/videos/process', { url: VIDEO_URL }], 202],
  ['sends a test event', async () => ['/webhooks/test', { url: RECEIVER }], 202],
  [
    'delivers an event again',
    async () => {
      const actor = await api.context.verifyKey(key)
      const { id } = await sendTestEvent(api.context, actor, RECEIVER)
      await api.context.db.query(`UPDATE webhook_deliveries SET status = 'failed', ready = false WHERE id = $1`, [id])
      return [`/webhooks/deliveries/${id}/redeliver`]
    },
    202,
  ],
])('a caller who %s does not wait for a Redis that does not answer', async (_, prepare, expected) => {
  const [path, body] = await prepare()
  const { notifier, producer } = api.context
  const app = createApp({
    ...api.context,
    notifier: { ...notifier, publish: silent },
    producer: { ...producer, wakeJobs: silent },
  })
  const { status } = await supertest(app).post(`/api/v1${path}`).set('X-API-Key', key).send(body)
  expect(status).toBe(expected)
})
