import { setTimeout as sleep } from 'node:timers/promises'
import { changeKey, createKeyVerifier, findKeys, hashApiKey, parseKeySelector } from '@subtext/core/api-keys'
import { setPlan } from '@subtext/core/testing'
import type { Db } from '@subtext/db'
import { waitUntil } from '@subtext/embedded/testing'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { type TestApi, useTestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'

let now = Date.now()
/** The clock of the caches of keys, in milliseconds. */
let age = 1
const api = useTestApi({}, () => new Date(now))

/** Creates the app of a process, whose cache of keys runs by the clock of this test. */
const openApp = (context = api.context) => createApp({ ...context, verifyKey: createKeyVerifier(context, () => age) })
let app: ReturnType<typeof createApp>
beforeAll(() => {
  app = openApp()
})

const statusWith = async (key: string, jobId: string, asked = app): Promise<number> =>
  (await supertest(asked).get(`/api/v1/videos/status/${jobId}`).set('Authorization', `Bearer ${key}`)).status

/** Requests that start this long after a change must see it. */
const PROMISED_MS = 1_000
const passTime = (): void => {
  age += PROMISED_MS
}
/** Far more than a busy machine needs, and less than the minute that the requests below could wait. */
const PROMPTLY_MS = 55_000

type Stop = (key: string) => Promise<unknown>

const change =
  (kind: 'revoke' | 'disable'): Stop =>
  async (key) => {
    const [found] = await findKeys(api.context, parseKeySelector(key) ?? {})
    if (!found) throw new Error('The key does not exist.')
    return changeKey(api.context, found, kind)
  }
const expire: Stop = (key) =>
  api.context.db.query('UPDATE api_keys SET expires_at = $2 WHERE hash = $1', [hashApiKey(key), new Date(now - 1)])

test.each<[string, Stop]>([
  ['revoked', change('revoke')],
  ['disabled', change('disable')],
  ['given an expiry in the past', expire],
])('a key that was %s is refused within a second in every process that has cached it', async (_, stop) => {
  const apps = [app, openApp(api.openBeside().context)]
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  const statuses = () => Promise.all(apps.map((each) => statusWith(key, jobId, each)))
  expect(await statuses()).toEqual([200, 200])

  await stop(key)
  passTime()
  expect(await statuses()).toEqual([401, 401])
  passTime()
  expect(await statuses()).toEqual([401, 401])
})

test('new scopes take effect within a second', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  expect(await statusWith(key, jobId)).toBe(200)
  await api.context.db.query(`UPDATE api_keys SET scopes = '{write}' WHERE hash = $1`, [hashApiKey(key)])
  passTime()
  expect(await statusWith(key, jobId)).toBe(403)
})

test('a disabled key works within a second after it was enabled again', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  const [found] = await findKeys(api.context, parseKeySelector(key) ?? {})
  if (!found) throw new Error('The key does not exist.')
  await changeKey(api.context, found, 'disable')
  passTime()
  expect(await statusWith(key, jobId)).toBe(401)
  await changeKey(api.context, found, 'enable')
  passTime()
  expect(await statusWith(key, jobId)).toBe(200)
})

test('a new plan takes effect within a second', async () => {
  const email = 'mover@example.org'
  const key = await api.createKey({ email, plan: 'pro' })
  const submit = () =>
    supertest(app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: VIDEO_URL, priority: 'high' })
  expect((await submit()).status).toBe(202)
  await setPlan(api.context, email, 'plus')
  passTime()
  expect(await submit()).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
})

test('an expiry takes effect at once, even if the key is cached', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  await api.context.db.query('UPDATE api_keys SET expires_at = $2 WHERE hash = $1', [
    hashApiKey(key),
    new Date(now + 10_000),
  ])
  expect(await statusWith(key, jobId)).toBe(200)
  now += 10_000
  expect(await statusWith(key, jobId)).toBe(401)
})

test('a new key works within a second, even if it was refused before', async () => {
  const known = await api.createKey()
  const jobId = await acceptTestJob(api.context, known)
  const key = `sk_${'5'.repeat(64)}`
  expect(await statusWith(key, jobId)).toBe(401)
  await api.context.db.query('UPDATE api_keys SET hash = $2 WHERE hash = $1', [hashApiKey(known), hashApiKey(key)])
  passTime()
  expect(await statusWith(key, jobId)).toBe(200)
})

describe('when a key is revoked', () => {
  test.each<[string, 'get' | 'post']>([
    ['/videos/status/{job}?wait=60', 'get'],
    ['/videos/process-sync?wait=60', 'post'],
  ])('ends the wait of %s with a refusal', async (path, method) => {
    const key = await api.createKey({ scopes: ['admin'] })
    const jobId = await acceptTestJob(api.context, key)
    const response = supertest(api.app)
      [method](`/api/v1${path.replace('{job}', jobId)}`)
      .set('X-API-Key', key)
      .send(method === 'post' ? { url: VIDEO_URL } : undefined)
      .then()
    // By now it is waiting. If it is not, it is refused anyway.
    await sleep(500)
    const revoked = performance.now()
    await change('revoke')(key)
    expect(await response).toBeRefused(401, 'UNAUTHORIZED')
    expect(performance.now() - revoked).toBeLessThan(PROMPTLY_MS)
  })

  test('ends its streams of events', async () => {
    const key = await api.createKey()
    const jobId = await acceptTestJob(api.context, key)
    const { port } = await api.serve()
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/videos/events/${jobId}`, {
      headers: { 'X-API-Key': key },
    })
    await change('revoke')(key)
    expect(response.status).toBe(200)
    // Otherwise the stream would not end before the job.
    expect(await response.text()).toMatch(/^event: ?progress$/m)
  })
})

test('does not wait for a caller that disconnected before its key was verified', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  let checks = 0
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const verifyKey: TestApi['context']['verifyKey'] = async (text) => {
    checks++
    await finished
    return api.context.verifyKey(text)
  }
  const server = await api.serve(createApp({ ...api.context, verifyKey }))
  const leaving = new AbortController()
  const headers = { 'X-API-Key': key }
  const url = `http://127.0.0.1:${server.port}/api/v1/videos/status/${jobId}?wait=60`
  const disconnected = fetch(url, { headers, signal: leaving.signal }).catch(() => 'disconnected')
  await waitUntil('the key is being verified', () => checks > 0)
  leaving.abort()
  expect(await disconnected).toBe('disconnected')
  await sleep(200)
  finish()
  await sleep(1_500)
  expect(checks).toBe(1)
})

test('a waiting request continues while the database is unavailable for a moment', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  let verified = 0
  let refused = 0
  let unavailable = false
  const query: Db['query'] = async (text, values) => {
    if (!text.includes('api_keys')) return await api.context.db.query(text, values)
    if (!unavailable) {
      const found = await api.context.db.query(text, values)
      verified++
      return found
    }
    refused++
    throw Object.assign(new Error('The database is unavailable.'), { code: 'ECONNREFUSED' })
  }
  const pending = supertest(createApp({ ...api.context, db: { ...api.context.db, query } }))
    .get(`/api/v1/videos/status/${jobId}?wait=3`)
    .set('X-API-Key', key)
    .then()
  await waitUntil('the key was verified', () => verified > 0)
  unavailable = true
  expect((await pending).status).toBe(200)
  expect(refused).toBeGreaterThan(0)
})
