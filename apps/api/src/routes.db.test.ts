import { randomUUID } from 'node:crypto'
import { ErrorEnvelope, ROUTES, type RouteShape, SCOPES } from '@subtext/contracts'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'
import { useTestApi } from './testing/api.ts'
import {
  addDeletable,
  addOwnedThings,
  bodyFor,
  createInvalidKey,
  needsModel,
  type OwnedThings,
  pathTo,
  thingsIn,
  WITH_MODEL,
} from './testing/owned-things.ts'
import { startTestWorker } from './testing/worker.ts'

// Receivers' names are not resolved.
const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
let withModel: Express
let key: string
let admin: string
let own: OwnedThings
let foreign: OwnedThings
const badKeys: Record<string, string> = {}
const WELL_FORMED = ['unknown', 'revoked', 'disabled', 'expired']

beforeAll(async () => {
  withModel = api.openBeside(WITH_MODEL).app
  key = await api.createKey()
  admin = await api.createKey({ scopes: ['admin'] })
  own = await addOwnedThings(api, key)
  foreign = await addOwnedThings(api, await api.createKey())
  startTestWorker(api)
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
const ownedRoutes = closedRoutes.filter(([, { path }]) => path.includes('{'))

/** Sends a request that succeeds with a valid key. */
async function send(
  route: RouteShape,
  headers: Record<string, string>,
  things: OwnedThings | string = own,
): Promise<Response> {
  const deletable = things === own ? await addDeletable(route, { api, key, things: own }) : undefined
  const request = supertest(needsModel(route.operationId) ? withModel : api.app)
    [route.method](pathTo(route, things, deletable))
    .query(route.example?.query ?? {})
    .set(headers)
  const body = bodyFor(route, own)
  return body === undefined ? request : request.send(body)
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
    const query = await supertest(api.app)[route.method](`${pathTo(route, own)}?api_key=${good}&key=${good}`)
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
      const response = await supertest(api.app)[method](pathTo(route, own)).set(bearer(key))
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
    const [wrong = 'options'] = wrongMethodsFor(route)
    expect((await supertest(api.app)[wrong](pathTo(route, own))).status).toBe(405)
    expect((await supertest(api.app).get(`${pathTo(route, own)}/no/more`)).status).toBe(404)
  })
})

describe.each(ownedRoutes)('%s', (_, route) => {
  test('responds the same way for IDs of other accounts, unknown IDs and malformed IDs', async () => {
    const unknown = await send(route, bearer(key), randomUUID())
    const expected = errorOf(unknown)
    expect(expected).toMatchObject({ error: { code: 'NOT_FOUND' } })
    for (const id of [
      foreign,
      'x',
      '0',
      'null',
      `${own.job_id}x`,
      own.job_id.slice(1),
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

  test('responds NOT_FOUND if any one of its IDs is unknown or malformed', async () => {
    for (const name of thingsIn(route)) {
      for (const id of [randomUUID(), '\u0000']) {
        const { status } = await send(route, bearer(key), { ...own, [name]: id })
        expect([name, id, status]).toEqual([name, id, 404])
      }
    }
  })

  test('does not show resources of other accounts to an admin', async () => {
    const admin = await api.createKey({ scopes: ['admin'] })
    expect((await send(route, bearer(admin), foreign)).status).toBe(404)
  })

  test('responds NOT_FOUND to a path that cannot be decoded', async () => {
    const path = pathTo(route, 'undecodable').replace('undecodable', '%E0%A4%A')
    const response = await supertest(api.app)[route.method](path).set(bearer(key))
    expect(response.status).toBe(404)
    errorOf(response)
  })

  test('refuses unknown parameters by name', async () => {
    const response = await supertest(api.app)
      [route.method](`${pathTo(route, own)}?fromat=json`)
      .set(bearer(key))
      .send(route.example?.body as object | undefined)
    expect(response).toBeRefused(400, 'VALIDATION_ERROR', 'query.fromat')
  })
})

describe.each(closedRoutes.filter(([, route]) => route.method === 'post' && !route.body))('%s', (_, route) => {
  test.each(['{}', '{bad'])('ignores the body `%s`, which is not declared as JSON', async (body) => {
    const request = supertest(api.app).post(pathTo(route, own)).set(bearer(key)).type('text/plain')
    expect((await request.send(body)).status).toBe(route.status)
  })
})

describe.each(ownedRoutes.filter(([, route]) => route.method === 'get'))('%s', (_, route) => {
  test('responds to HEAD like to GET, without a body', async () => {
    const asked = { ...bearer(key), 'Accept-Encoding': 'gzip' }
    const response = await supertest(api.app).head(pathTo(route, own)).set(asked)
    expect([response.status, response.text ?? '']).toEqual([200, ''])
    const { headers } = await supertest(api.app).get(pathTo(route, own)).set(asked)
    expect([undefined, headers['content-length']]).toContain(response.headers['content-length'])
    expect((await supertest(api.app).head(pathTo(route, own))).status).toBe(401)
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
