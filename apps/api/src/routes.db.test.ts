import { randomUUID } from 'node:crypto'
import { API_PREFIX, ErrorEnvelope, ROUTES, type RouteShape, SCOPES } from '@subtext/contracts'
import supertest, { type Response } from 'supertest'
import { useTestApi } from './testing/api.ts'
import { addTestConversation, addTestDigest } from './testing/chats.ts'
import { acceptTestJob, addTestInfographic, completeTestJob } from './testing/jobs.ts'
import { createInvalidKey, sendTestEvent, submitTestBatch } from './testing/owned-things.ts'
import { newTestList, severalVideos, useTestSources } from './testing/sources.ts'
import { addTestSubscription, type TestSubscription } from './testing/subscriptions.ts'
import { startTestWorker } from './testing/worker.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let key: string
let admin: string
let ownJob: string
let foreignJob: string
/** For each job, a conversation about it, and a delivery, a batch and a source of the same owner. */
const conversations = new Map<string, string>()
const deliveries = new Map<string, string>()
const batches = new Map<string, string>()
const sources = new Map<string, string>()
const digests = new Map<string, string>()
let ownLibraryConversation: string
const subscriptions = new Map<string, TestSubscription>()
const { list } = useTestSources(api)
const badKeys: Record<string, string> = {}
const WELL_FORMED = ['unknown', 'revoked', 'disabled', 'expired']

/** Follows a source of its own, which can be deleted with it. */
async function addSubscription(apiKey: string, jobId: string): Promise<void> {
  subscriptions.set(jobId, await addTestSubscription(api.context, apiKey, await listSource(apiKey)))
}

const listSource = (apiKey: string): Promise<string> => list(apiKey, newTestList(), { videos: severalVideos(1) })

beforeAll(async () => {
  // Receivers' names are not resolved.
  key = await api.createKey()
  admin = await api.createKey({ scopes: ['admin'] })
  ownJob = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, ownJob)
  await addTestInfographic(api.context, ownJob)
  const foreignKey = await api.createKey()
  foreignJob = await acceptTestJob(api.context, foreignKey)
  await completeTestJob(api.context, foreignJob)
  conversations.set(ownJob, await addTestConversation(api.context, key, ownJob))
  conversations.set(foreignJob, await addTestConversation(api.context, foreignKey, foreignJob))
  // Started last: it would complete the jobs that are completed above.
  startTestWorker(api)
  deliveries.set(ownJob, await sendTestEvent(api, key)).set(foreignJob, await sendTestEvent(api, foreignKey))
  sources.set(ownJob, await listSource(key)).set(foreignJob, await listSource(foreignKey))
  await addSubscription(key, ownJob)
  await addSubscription(foreignKey, foreignJob)
  batches.set(ownJob, await submitTestBatch(api, key)).set(foreignJob, await submitTestBatch(api, foreignKey))
  for (const [job, owner] of [
    [ownJob, key],
    [foreignJob, foreignKey],
  ] as const) {
    digests.set(job, await addTestDigest(api.context, owner, batches.get(job) ?? ''))
  }
  ownLibraryConversation = await addTestConversation(api.context, key, null)
  Object.assign(badKeys, {
    unknown: `sk_${'0'.repeat(64)}`,
    revoked: await createInvalidKey(api, 'revoked_at'),
    disabled: await createInvalidKey(api, 'disabled_at'),
    expired: await createInvalidKey(api, 'expires_at'),
    'too short': key.slice(0, -1),
    'too long': `${key}0`,
    'in upper case': key.toUpperCase(),
    'with another prefix': key.replace('sk_', 'pk_'),
    'without a prefix': key.slice(3),
  })
})

const closedRoutes = ROUTES.filter(({ access }) => access !== 'public' && access !== 'session').map(
  (route) => [route.operationId, route] as const,
)
const ownedRoutes = closedRoutes.filter(([, route]) =>
  /\{(?:job|delivery|batch|source|digest|subscription|feed)_id\}/.test(route.path),
)

/** Returns the path for a job and, if the route names them, for the conversation, delivery, batch or source that belongs to it. */
const pathOf = (route: RouteShape, id: string): string =>
  `${API_PREFIX}${route.path
    .replace('{job_id}', encodeURIComponent(id))
    .replace('/library/chat/{conversation_id}', `/library/chat/${ownLibraryConversation}`)
    .replace('{conversation_id}', encodeURIComponent(conversations.get(id) ?? id))
    .replace('{digest_id}', encodeURIComponent(digests.get(id) ?? id))
    .replace(/\{(subscription_id|video_id|feed_id|feed_token)\}/, (_, name: keyof TestSubscription) =>
      encodeURIComponent(subscriptions.get(id)?.[name] ?? id),
    )
    .replace('{video_id}', subscriptions.get(id)?.video_id ?? 'v0000000001')
    .replace('{source_id}', encodeURIComponent(sources.get(id) ?? id))
    .replace('{delivery_id}', encodeURIComponent(deliveries.get(id) ?? id))
    .replace('{batch_id}', encodeURIComponent(batches.get(id) ?? id))}`

/** Creates a job that has ended, to be deleted. */
async function addJob(): Promise<string> {
  const id = await acceptTestJob(api.context, key)
  await api.context.db.prisma.job.update({ where: { id }, data: { status: 'failed', completedAt: new Date() } })
  return id
}

/** Sends a request that succeeds with a valid key. */
async function send(route: RouteShape, headers: Record<string, string>, jobId = ownJob): Promise<Response> {
  if (route.operationId === 'deleteJob' && jobId === ownJob) return send(route, headers, await addJob())
  // The previous request has deleted the source or the conversation.
  if (route.operationId === 'deleteSource' && jobId === ownJob) sources.set(ownJob, await listSource(key))
  if (route.method === 'delete' && jobId === ownJob) {
    conversations.set(ownJob, await addTestConversation(api.context, key, ownJob))
    ownLibraryConversation = await addTestConversation(api.context, key, null)
    await addSubscription(key, ownJob)
  }
  const request = supertest(api.app)
    [route.method](pathOf(route, jobId))
    .query(route.example?.query ?? {})
    .set(headers)
  return route.example?.body === undefined ? request : request.send(route.example.body as object)
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const

/** Returns the methods that the path of a route does not support. */
const wrongMethodsFor = ({ path }: RouteShape) =>
  METHODS.filter((method) => !ROUTES.some((other) => isSamePath(other.path, path) && other.method === method))

/** Paths do not differ by a slash at their ends. */
const isSamePath = (one: string, other: string): boolean => one.replace(/\/$/, '') === other.replace(/\/$/, '')

const bearer = (apiKey: string): Record<string, string> => ({ Authorization: `Bearer ${apiKey}` })

/** Returns the error envelope of a response without `meta`, which differs between any two responses, after checking it. */
function errorOf(response: Response): unknown {
  const { meta, ...rest } = ErrorEnvelope.parse(response.body)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(response.headers['x-request-id']).toBe(meta.request_id)
  expect(meta.warnings).toBeUndefined()
  return rest
}

/** Returns a key that may use the route. */
const keyFor = (route: RouteShape): string => (route.access === 'admin' ? admin : key)

describe.each(closedRoutes)('%s', (_, route) => {
  test('responds according to its schema', async () => {
    const response = await send(route, bearer(keyFor(route)))
    expect(response.status).toBe(route.status)
    if (route.events) {
      expect(response.headers['content-type']).toBe('text/event-stream')
      return
    }
    if (route.files) {
      expect(route.files).toContain(response.headers['content-type'])
      return
    }
    if (route.status === 204) {
      expect(response.text).toBe('')
      return
    }
    expect(response.body).toMatchObject({ success: true, meta: { version: 'v1' } })
    expect(route.response?.safeParse(response.body.data).error).toBeUndefined()
    expect(response.headers['x-request-id']).toBe(response.body.meta.request_id)
  })

  test('refuses every invalid key, and every well-formed one with the same response', async () => {
    const responses = await Promise.all(
      Object.entries(badKeys).flatMap(([kind, bad]) => [
        send(route, bearer(bad)).then((response) => ({ kind, response })),
        send(route, { 'X-API-Key': bad }).then((response) => ({ kind, response })),
      ]),
    )
    const missing = await send(route, {})
    for (const { kind, response } of [...responses, { kind: 'missing', response: missing }]) {
      expect([kind, response.status, response.headers['www-authenticate']]).toEqual([kind, 401, 'Bearer'])
      expect(errorOf(response)).toMatchObject({ success: false, error: { code: 'UNAUTHORIZED', retryable: false } })
    }
    const wellFormed = responses.filter(({ kind }) => WELL_FORMED.includes(kind))
    expect(wellFormed).toHaveLength(2 * WELL_FORMED.length)
    expect(new Set(wellFormed.map(({ response }) => JSON.stringify(errorOf(response)))).size).toBe(1)
  })

  test('accepts a key in either header, or in both if they agree, but not in the query', async () => {
    const good = keyFor(route)
    const other = await api.createKey()
    expect((await send(route, { 'X-API-Key': good })).status).toBe(route.status)
    expect((await send(route, { ...bearer(good), 'X-API-Key': good })).status).toBe(route.status)
    expect((await send(route, { ...bearer(good), 'X-API-Key': other })).status).toBe(401)
    expect((await send(route, { Authorization: `Basic ${btoa(`${good}:`)}` })).status).toBe(401)
    const query = await supertest(api.app)[route.method](`${pathOf(route, ownJob)}?api_key=${good}&key=${good}`)
    expect(query.status).toBe(401)
  })

  test('requires its own scope or admin', async () => {
    for (const scope of SCOPES) {
      const response = await send(route, bearer(await api.createKey({ scopes: [scope] })), randomUUID())
      if (scope !== route.access && scope !== 'admin') {
        expect(response.status).toBe(403)
        expect(errorOf(response)).toMatchObject({
          error: { code: 'INSUFFICIENT_SCOPE', details: { required_scope: route.access, scopes: [scope] } },
        })
      } else expect([401, 403]).not.toContain(response.status)
    }
  })

  test('refuses other methods and lists its own', async () => {
    for (const method of wrongMethodsFor(route)) {
      const response = await supertest(api.app)[method](pathOf(route, ownJob)).set(bearer(key))
      expect([method, response.status]).toEqual([method, 405])
      expect(errorOf(response)).toMatchObject({
        error: {
          code: 'METHOD_NOT_ALLOWED',
          message: expect.stringMatching(`^Method not allowed\\. Use .*\\b${route.method.toUpperCase()}\\b`),
        },
      })
      expect(response.headers.allow?.split(', ')).toContain(route.method.toUpperCase())
    }
  })

  test('reports a wrong method or path even without a key', async () => {
    expect((await supertest(api.app).patch(pathOf(route, ownJob))).status).toBe(405)
    expect((await supertest(api.app).get(`${pathOf(route, ownJob)}/no/more`)).status).toBe(404)
  })
})

describe.each(ownedRoutes)('%s', (_, route) => {
  test('responds the same way for IDs of other accounts, unknown IDs and malformed IDs', async () => {
    const unknown = await send(route, bearer(key), randomUUID())
    const expected = errorOf(unknown)
    expect(expected).toMatchObject({ error: { code: 'NOT_FOUND' } })
    for (const id of [
      foreignJob,
      'x',
      '0',
      'null',
      `${ownJob}x`,
      ownJob.slice(1),
      "' OR 1=1",
      '../..',
      '%',
      '\u0000',
      '日',
    ]) {
      const response = await send(route, bearer(key), id)
      expect([id, response.status]).toEqual([id, 404])
      expect(errorOf(response)).toEqual(expected)
    }
  })

  test('does not show resources of other accounts to an admin', async () => {
    const admin = await api.createKey({ scopes: ['admin'] })
    expect((await send(route, bearer(admin), foreignJob)).status).toBe(404)
  })

  test('responds NOT_FOUND to a path that cannot be decoded', async () => {
    const path = pathOf(route, 'undecodable').replace('undecodable', '%E0%A4%A')
    const response = await supertest(api.app)[route.method](path).set(bearer(key))
    expect(response.status).toBe(404)
    errorOf(response)
  })

  test('refuses unknown parameters by name', async () => {
    const response = await supertest(api.app)
      [route.method](`${pathOf(route, ownJob)}?fromat=json`)
      .set(bearer(key))
      .send(route.example?.body as object | undefined)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'query.fromat')
  })
})

describe.each(closedRoutes.filter(([, route]) => route.method === 'post' && !route.body))('%s', (_, route) => {
  test.each(['{}', '{bad'])('ignores the body `%s`, which is not declared as JSON', async (body) => {
    const request = supertest(api.app).post(pathOf(route, ownJob)).set(bearer(key)).type('text/plain')
    expect((await request.send(body)).status).toBe(route.status)
  })
})

describe.each(ownedRoutes.filter(([, route]) => route.method === 'get'))('%s', (_, route) => {
  test('responds to HEAD like to GET, without a body', async () => {
    const asked = { ...bearer(key), 'Accept-Encoding': 'gzip' }
    const response = await supertest(api.app).head(pathOf(route, ownJob)).set(asked)
    expect([response.status, response.text ?? '']).toEqual([200, ''])
    const { headers } = await supertest(api.app).get(pathOf(route, ownJob)).set(asked)
    expect([undefined, headers['content-length']]).toContain(response.headers['content-length'])
    expect((await supertest(api.app).head(pathOf(route, ownJob))).status).toBe(401)
  })
})

test('names the path that was probably meant', async () => {
  const response = await supertest(api.app).post('/api/v1/videos/proccess').set(bearer(key))
  expect(response.body.error.message).toContain('Did you mean `/api/v1/videos/process`?')
})

test.each(['/api', '/api/v2/videos/process', '/api/v1/nothing', '/favicon.ico', '/api/v1/videos/status'])(
  'responds NOT_FOUND in the envelope to %s',
  async (path) => {
    const response = await supertest(api.app).get(path).set(bearer(key))
    expect(response.status).toBe(404)
    expect(errorOf(response)).toMatchObject({ error: { code: 'NOT_FOUND' } })
  },
)
