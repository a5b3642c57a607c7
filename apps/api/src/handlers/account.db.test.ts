import { randomUUID } from 'node:crypto'
import { API_PREFIX, ROUTES, type RouteShape } from '@subtext/contracts'
import supertest, { type Response } from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { completeTestJob } from '../testing/jobs.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()
const MINUTE_MS = 60_000

const pathOf = (route: Pick<RouteShape, 'path'>): string =>
  `${API_PREFIX}${route.path.replace(/\{\w+\}/g, randomUUID())}`

function send(route: RouteShape, headers: Record<string, string>): Promise<Response> {
  const request = supertest(api.app)
    [route.method](pathOf(route))
    .query(route.example?.query ?? {})
    .set(headers)
  return route.example?.body === undefined ? request : request.send(route.example.body as object)
}

const closedRoutes = ROUTES.filter(({ access }) => access !== 'public').map(
  (route) => [route.operationId, route] as const,
)
const accountRoutes = closedRoutes.filter(([, { access }]) => access === 'session')

const call = (session: TestSession, method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
  const request = supertest(api.app)[method](`${API_PREFIX}/account${path}`).set(session.headers)
  return body === undefined ? request : request.send(body)
}

test('there are routes for sessions', () => {
  expect(accountRoutes.length).toBeGreaterThan(7)
})

describe.each(accountRoutes)('%s', (_, route) => {
  test('tells callers without a session to sign in', async () => {
    const response = await send(route, {})
    expect(response).toBeRefused(401, 'UNAUTHORIZED')
    expect(response.body.error.message).toMatch(/Sign in at \S+\/sign-in\./)
  })

  test('refuses API keys, even beside a session', async () => {
    const session = await createTestSession(api)
    const key = await api.createKey({ scopes: ['admin'] })
    expect(await send(route, { 'X-API-Key': key })).toBeRefused(403, 'SESSION_REQUIRED')
    expect(await send(route, { ...session.headers, 'X-API-Key': key })).toBeRefused(403, 'SESSION_REQUIRED')
    expect(await send(route, { ...session.headers, 'X-API-Key': `sk_${'0'.repeat(64)}` })).toBeRefused(
      401,
      'UNAUTHORIZED',
    )
    expect(await send(route, {})).toBeRefused(401, 'UNAUTHORIZED')
  })

  test('refuses a cookie with another signature, and that of a session that has ended or expired', async () => {
    const { headers, sessionId } = await createTestSession(api)
    // Another token with this signature, and this token with another one.
    for (const letter of [/(?<==)./, /(?<==[^.]*\.)./]) {
      const Cookie = headers.Cookie.replace(letter, (found) => (found === 'A' ? 'B' : 'A'))
      expect(Cookie).not.toBe(headers.Cookie)
      expect(await send(route, { ...headers, Cookie })).toBeRefused(401, 'UNAUTHORIZED')
    }
    const expired = await createTestSession(api, { ageMs: 8 * 24 * 60 * MINUTE_MS })
    expect(await send(route, expired.headers)).toBeRefused(401, 'UNAUTHORIZED')
    await api.context.db.query('DELETE FROM sessions WHERE id = $1', [sessionId])
    expect(await send(route, headers)).toBeRefused(401, 'UNAUTHORIZED')
  })
})

describe.each(closedRoutes.filter(([, { method }]) => method !== 'get'))('%s', (_, route) => {
  test('refuses a session from the page of another site', async () => {
    const { headers } = await createTestSession(api)
    const { Origin: own, ...without } = headers
    for (const Origin of [
      'https://evil.example',
      'null',
      `${own}.evil.example`,
      `${own}/`,
      own.replace('http', 'https'),
    ]) {
      expect(await send(route, { ...headers, Origin })).toBeRefused(403, 'FORBIDDEN_ORIGIN')
    }
    expect(await send(route, { ...without, Referer: `${own}/keys` })).toBeRefused(403, 'FORBIDDEN_ORIGIN')
    const response = await send(route, headers)
    expect(response.body.error?.code).not.toBe('FORBIDDEN_ORIGIN')
  })
})

describe('a session on the routes for keys', () => {
  test('has the scopes read and write, and the rights of the plan', async () => {
    const { headers } = await createTestSession(api, { plan: 'free' })
    const submit = (body: object) => supertest(api.app).post(`${API_PREFIX}/videos/process`).set(headers).send(body)
    const url = 'https://youtu.be/dQw4w9WgXcQ'
    expect((await submit({ url })).status).toBe(202)
    expect(await submit({ url, priority: 'high' })).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    const { body } = await supertest(api.app).get(`${API_PREFIX}/videos/`).set(headers)
    expect(body.data.pagination.total).toBe(1)
    const sync = supertest(api.app).post(`${API_PREFIX}/videos/process-sync`).set(headers)
    expect(await sync.send({ url })).toBeRefused(403, 'INSUFFICIENT_SCOPE')
  })

  test('shares one request limit and one usage over all browsers of a person', async () => {
    const first = await createTestSession(api)
    const second = await createTestSession(api, { email: first.email })
    const used = async ({ headers }: TestSession) =>
      Number((await supertest(api.app).get(`${API_PREFIX}/videos/`).set(headers)).headers['x-ratelimit-used'])
    expect([await used(first), await used(second), await used(first)]).toEqual([1, 2, 3])
    const { body } = await supertest(api.app).get(`${API_PREFIX}/usage/history`).set(second.headers)
    expect(body.data.periods[0]).toMatchObject({ total_requests: 3 })
  })

  test('shows the receipts of the whole account, in pages', async () => {
    const email = `${randomUUID()}@example.org`
    const keys = [await api.createKey({ email }), await api.createKey({ email })]
    const session = await createTestSession(api, { email })
    const jobs: string[] = []
    for (const key of [keys[0], null, keys[1], keys[0]]) {
      const headers = key ? { 'X-API-Key': key } : session.headers
      const submit = supertest(api.app).post(`${API_PREFIX}/videos/process`).set(headers)
      const { job_id } = (await submit.send({ url: 'https://youtu.be/dQw4w9WgXcQ' })).body.data
      await completeTestJob(api.context, job_id)
      jobs.unshift(job_id)
    }
    const read = async (query: object, headers: Record<string, string> = session.headers) =>
      (await supertest(api.app).get(`${API_PREFIX}/usage/receipts`).query(query).set(headers)).body.data
    const idsOf = ({ receipts }: { receipts: { job_id: string }[] }) => receipts.map(({ job_id }) => job_id)
    const first = await read({ limit: 3 })
    const second = await read({ limit: 3, cursor: first.pagination.next_cursor })
    expect([...idsOf(first), ...idsOf(second)]).toEqual(jobs)
    expect(idsOf(await read({}, { 'X-API-Key': keys[1] ?? '' }))).toEqual([jobs[1]])
  })

  test('ends the streams that began with it', async () => {
    const session = await createTestSession(api)
    const submit = supertest(api.app).post(`${API_PREFIX}/videos/process`).set(session.headers)
    const { job_id } = (await submit.send({ url: 'https://youtu.be/dQw4w9WgXcQ' })).body.data
    const { port } = await api.serve()
    const url = `http://127.0.0.1:${port}${API_PREFIX}/videos/events/${job_id}`
    const response = await fetch(url, { headers: { Cookie: session.headers.Cookie } })
    expect(response.status).toBe(200)
    await call(session, 'delete', `/sessions/${session.sessionId}`)
    // Otherwise the stream would not end before the job.
    expect(await response.text()).toMatch(/^event: ?progress$/m)
  })

  test('is renewed in the database and in the browser while it is used', async () => {
    const { headers, sessionId } = await createTestSession(api, { ageMs: 2 * 24 * 60 * MINUTE_MS })
    const response = await supertest(api.app).get(`${API_PREFIX}/videos/`).set(headers)
    const [name, value] = headers.Cookie.split(/=(.*)/s)
    expect(response.headers['set-cookie']).toEqual([`${name}=${value}; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax`])
    const { rows } = await api.context.db.query<{ days: number }>(
      `SELECT extract(epoch FROM expires_at - now()) / 86400 AS days FROM sessions WHERE id = $1`,
      [sessionId],
    )
    expect(Number(rows[0]?.days)).toBeGreaterThan(6.9)
    expect((await supertest(api.app).get(`${API_PREFIX}/videos/`).set(headers)).headers['set-cookie']).toBeUndefined()
  })
})

test('creating keys and rotating the webhook secret require a sign-in within the last 10 minutes', async () => {
  const recent = await createTestSession(api, { ageMs: 9 * MINUTE_MS })
  const old = await createTestSession(api, { ageMs: 11 * MINUTE_MS })
  const rotate = ({ headers }: TestSession) =>
    supertest(api.app).post(`${API_PREFIX}/webhooks/secret/rotate`).set(headers)
  expect((await call(recent, 'post', '/keys', { name: 'Import' })).status).toBe(201)
  expect((await rotate(recent)).status).toBe(200)
  expect(await call(old, 'post', '/keys', { name: 'Import' })).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
  expect(await rotate(old)).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
  expect((await call(old, 'get', '/keys')).status).toBe(200)
  const key = supertest(api.app)
    .post(`${API_PREFIX}/webhooks/secret/rotate`)
    .set('X-API-Key', await api.createKey())
  expect((await key).status).toBe(200)
})

test('sessions are listed and ended one by one', async () => {
  const first = await createTestSession(api, { ageMs: MINUTE_MS })
  const second = await createTestSession(api, { email: first.email })
  const other = await createTestSession(api)
  const { body } = await call(first, 'get', '/sessions')
  expect(body.data.sessions).toMatchObject([
    { id: second.sessionId, current: false },
    { id: first.sessionId, current: true },
  ])
  for (const wrong of [other.sessionId, 'x', randomUUID()]) {
    expect(await call(first, 'delete', `/sessions/${wrong}`)).toBeRefused(404, 'NOT_FOUND')
  }
  expect((await call(first, 'delete', `/sessions/${second.sessionId}`)).body.data).toEqual({ ended: true })
  expect((await call(second, 'get', '')).status).toBe(401)
  expect((await call(other, 'get', '')).status).toBe(200)
})

test('a person changes their name', async () => {
  const session = await createTestSession(api)
  expect((await call(session, 'patch', '', { name: ' Grace Hopper ' })).body.data.user.name).toBe('Grace Hopper')
  expect((await call(session, 'patch', '', {})).body.data.user.name).toBe('Grace Hopper')
  expect(await call(session, 'patch', '', { plan: 'pro' })).toBeRefused(400, 'VALIDATION_ERROR', 'plan')
})

test('without the dashboard, nobody can sign in', async () => {
  const { headers } = await createTestSession(api)
  await api.withEnv({ DASHBOARD_ENABLED: 'false' }, async (app) => {
    const missing = await supertest(app).get(`${API_PREFIX}/account`).set(headers)
    expect(missing).toBeRefused(404, 'NOT_FOUND')
    expect(missing.body.error.message).not.toContain('/account')
    expect(await supertest(app).get('/auth/get-session').set(headers)).toBeRefused(404, 'NOT_FOUND')
    expect(await supertest(app).get(`${API_PREFIX}/videos/`).set(headers)).toBeRefused(401, 'UNAUTHORIZED')
    const { body } = await supertest(app).get(`${API_PREFIX}/openapi.json`)
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/account'))).toEqual([])
  })
})

test('the time zone of digests is one that exists', async () => {
  const session = await createTestSession(api)
  expect((await call(session, 'get', '')).body.data.time_zone).toBe('UTC')
  const changed = await call(session, 'patch', '', { time_zone: 'Europe/Berlin' })
  expect([changed.status, changed.body.data.time_zone]).toEqual([200, 'Europe/Berlin'])
  for (const time_zone of ['Mars/Olympus', '+02:00', '', 'Etc/Unknown']) {
    expect(await call(session, 'patch', '', { time_zone })).toBeRefused(400, 'VALIDATION_ERROR', 'time_zone')
  }
})
