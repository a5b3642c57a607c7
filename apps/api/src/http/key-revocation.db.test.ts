import { setTimeout as sleep } from 'node:timers/promises'
import { changeKey, findKeys, hashApiKey, parseKeySelector } from '@subtext/core/api-keys'
import { setPlan } from '@subtext/core/plans'
import supertest from 'supertest'
import { createApp } from '../app.ts'
import { listen } from '../server.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { acceptTestJob, VIDEO_URL } from '../testing/jobs.ts'

let now = Date.now()
let api: TestApi
beforeAll(async () => {
  api = await openTestApi({}, () => new Date(now))
})
afterAll(() => api.close())

const statusWith = async (key: string, jobId: string, app = api.app): Promise<number> =>
  (await supertest(app).get(`/api/v1/videos/status/${jobId}`).set('Authorization', `Bearer ${key}`)).status

const PROMISED_MS = 1_000
/** What a loaded machine may add between the change and the first look. */
const MARGIN_MS = 200

type Stop = (key: string) => Promise<unknown>

const change =
  (kind: 'revoke' | 'disable'): Stop =>
  async (key) => {
    const [found] = await findKeys(api.context, parseKeySelector(key) ?? {})
    if (!found) throw new Error('No such key.')
    return changeKey(api.context, found, kind)
  }
const expire: Stop = (key) =>
  api.context.db.query('UPDATE api_keys SET expires_at = $2 WHERE hash = $1', [hashApiKey(key), new Date(now - 1)])

test.each<[string, Stop]>([
  ['revoked', change('revoke')],
  ['disabled', change('disable')],
  ['expired by a change of its end', expire],
])('a key that was %s is refused within a second in every process that knows it', async (_, stop) => {
  const beside = api.openBeside()
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  const apps = [api.app, beside.app]
  const allAnswers = () => Promise.all(apps.map((app) => statusWith(key, jobId, app)))
  expect(await allAnswers()).toEqual([200, 200])

  await stop(key)
  const changed = performance.now()
  let answers: number[]
  do {
    await sleep(20)
    answers = await allAnswers()
  } while (answers.some((status) => status !== 401) && performance.now() - changed < 5_000)
  expect(performance.now() - changed).toBeLessThan(PROMISED_MS + MARGIN_MS)

  await sleep(600)
  expect(await allAnswers()).toEqual([401, 401])
  await beside.close()
})

test('a new plan and new scopes count within a second, too', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  expect(await statusWith(key, jobId)).toBe(200)
  await api.context.db.query(`UPDATE api_keys SET scopes = '{write}' WHERE hash = $1`, [hashApiKey(key)])
  await sleep(PROMISED_MS)
  expect(await statusWith(key, jobId)).toBe(403)
})

test('a disabled key that is enabled again works within a second', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  const [found] = await findKeys(api.context, parseKeySelector(key) ?? {})
  if (!found) throw new Error('No such key.')
  await changeKey(api.context, found, 'disable')
  await sleep(PROMISED_MS)
  expect(await statusWith(key, jobId)).toBe(401)
  await changeKey(api.context, found, 'enable')
  await sleep(PROMISED_MS)
  expect(await statusWith(key, jobId)).toBe(200)
})

test('gates of a new plan hold within a second', async () => {
  const email = 'mover@example.org'
  const key = await api.createKey({ email, plan: 'pro' })
  const submit = () =>
    supertest(api.app).post('/api/v1/videos/process').set('X-API-Key', key).send({ url: VIDEO_URL, priority: 'high' })
  expect((await submit()).status).toBe(202)
  await setPlan(api.context, email, 'plus')
  await sleep(PROMISED_MS)
  expect((await submit()).body.error?.code).toBe('PLAN_UPGRADE_REQUIRED')
})

test('an expiry counts at once, though the key is still known', async () => {
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

test('a key that was unknown a moment ago works within a second of being made', async () => {
  const known = await api.createKey()
  const jobId = await acceptTestJob(api.context, known)
  const key = `sk_${'5'.repeat(64)}`
  expect(await statusWith(key, jobId)).toBe(401)
  await api.context.db.query('UPDATE api_keys SET hash = $2 WHERE hash = $1', [hashApiKey(known), hashApiKey(key)])
  await sleep(PROMISED_MS)
  expect(await statusWith(key, jobId)).toBe(200)
})

describe('a request that waits ends when its key is revoked', () => {
  const ended = async (path: string, method: 'get' | 'post') => {
    const key = await api.createKey({ scopes: ['admin'] })
    const jobId = await acceptTestJob(api.context, key)
    const answer = supertest(api.app)
      [method](`/api/v1${path.replace('{job}', jobId)}`)
      .set('X-API-Key', key)
      .send(method === 'post' ? { url: VIDEO_URL } : undefined)
      .then()
    // It waits by then; were it not to, it would be refused all the same.
    await sleep(500)
    const revoked = performance.now()
    await change('revoke')(key)
    const { status, text } = await answer
    return { status, text, ms: performance.now() - revoked }
  }

  test.each<[string, 'get' | 'post']>([
    ['/videos/status/{job}?wait=25', 'get'],
    ['/videos/process-sync?wait=25', 'post'],
  ])('%s is refused', async (path, method) => {
    const { status, ms } = await ended(path, method)
    expect(status).toBe(401)
    expect(ms).toBeLessThan(5_000)
  })

  test('a stream of events is closed', async () => {
    const { status, text, ms } = await ended('/videos/events/{job}', 'get')
    expect(status).toBe(200)
    expect(text).toMatch(/^event: ?progress$/m)
    expect(ms).toBeLessThan(5_000)
  })
})

test('nobody waits for a caller who left before the key was found', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  let looks = 0
  let find = (): void => {}
  const found = new Promise<void>((resolve) => {
    find = resolve
  })
  const verifyKey: TestApi['context']['verifyKey'] = async (text) => {
    looks++
    await found
    return api.context.verifyKey(text)
  }
  const server = await listen(createApp({ ...api.context, verifyKey }), 0, '127.0.0.1')
  const leaving = new AbortController()
  const headers = { 'X-API-Key': key }
  const url = `http://127.0.0.1:${server.port}/api/v1/videos/status/${jobId}?wait=60`
  const left = fetch(url, { headers, signal: leaving.signal }).catch(() => 'left')
  while (looks === 0) await sleep(10)
  leaving.abort()
  expect(await left).toBe('left')
  await sleep(200)
  find()
  await sleep(1_500)
  expect(looks).toBe(1)
  await server.drain(0)
})

test('a request that waits goes on while the database is away for a moment', async () => {
  const key = await api.createKey()
  const jobId = await acceptTestJob(api.context, key)
  let away = false
  const verifyKey: TestApi['context']['verifyKey'] = async (text) => {
    if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return api.context.verifyKey(text)
  }
  const answer = supertest(createApp({ ...api.context, verifyKey }))
    .get(`/api/v1/videos/status/${jobId}?wait=3`)
    .set('X-API-Key', key)
    .then()
  await sleep(500)
  away = true
  expect((await answer).status).toBe(200)
})
