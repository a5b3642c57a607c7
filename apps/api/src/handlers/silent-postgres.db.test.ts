import { openTcpLink } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { DATABASE_TIMEOUTS } from '../context.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { VIDEO_URL } from '../testing/jobs.ts'

/** Twice what a caller may wait, for a loaded machine. */
const ANSWERED_WITHIN_MS = 4_000

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api.close())

test('a database that does not answer: 503 soon, nothing accepted; it answers again: served', async () => {
  const key = await api.createKey()
  const wire = await openTcpLink(api.settings.DATABASE_URL as string)
  const { app, close } = api.openBeside({ DATABASE_URL: wire.url }, DATABASE_TIMEOUTS)
  const submit = () => supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: VIDEO_URL })
  const count = async () => (await api.context.db.query('SELECT FROM jobs')).rowCount

  wire.silence()
  const began = performance.now()
  const { status, body, headers } = await submit()
  expect(performance.now() - began).toBeLessThan(ANSWERED_WITHIN_MS)
  expect([status, body.error.code, body.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true])
  expect(headers['retry-after']).toBeDefined()
  expect(await count()).toBe(0)

  wire.heal()
  expect((await submit()).status).toBe(202)
  expect(await count()).toBe(1)
  await close()
  await wire.close()
})
