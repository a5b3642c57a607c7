import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX, type Plan } from '@subtext/contracts'
import { setPlan } from '@subtext/core/testing'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()

const call = (session: TestSession, method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) => {
  const request = supertest(api.app)[method](`${API_PREFIX}/account${path}`).set(session.headers)
  return body === undefined ? request : request.send(body)
}

describe('keys', () => {
  test('are created, shown once, used, renamed, disabled, enabled and revoked', async () => {
    const session = await createTestSession(api, { plan: 'plus' })
    const created = await call(session, 'post', '/keys', { name: ' Import ' })
    expect(created.status).toBe(201)
    const { key, id, ...shown } = created.body.data
    expect(shown).toMatchObject({
      name: 'Import',
      scopes: ['read', 'write'],
      status: 'active',
      prefix: key.slice(0, 9),
    })
    const emails = 'SELECT kind, data FROM emails WHERE recipient = $1'
    const { rows } = await api.context.db.query(emails, [session.email])
    expect(rows).toEqual([
      { kind: 'key_created', data: { name: 'Import', label: `${shown.prefix}…${shown.last_four}` } },
    ])
    const use = () => supertest(api.app).get(`${API_PREFIX}/videos/`).set('X-API-Key', key)
    expect((await use()).status).toBe(200)
    const { body } = await call(session, 'get', '/keys')
    expect(body.data.keys).toMatchObject([{ id, name: 'Import' }])
    expect(JSON.stringify(body)).not.toContain(key)
    expect((await call(session, 'patch', `/keys/${id}`, { name: 'Export', disabled: true })).body.data).toMatchObject({
      name: 'Export',
      status: 'disabled',
    })
    expect((await call(session, 'patch', `/keys/${id}`, { disabled: false })).body.data.status).toBe('active')
    expect((await call(session, 'delete', `/keys/${id}`)).body.data.status).toBe('revoked')
    expect((await call(session, 'patch', `/keys/${id}`, { disabled: false })).body.data.status).toBe('revoked')
    expect((await call(session, 'delete', `/keys/${id}`)).status).toBe(200)
  })

  test('have the requested scopes, and never `admin`', async () => {
    const session = await createTestSession(api)
    const created = await call(session, 'post', '/keys', { name: 'Reader', scopes: ['read', 'read'] })
    expect(created.body.data.scopes).toEqual(['read'])
    for (const [body, path] of [
      [{ name: 'Admin', scopes: ['admin'] }, 'scopes.0'],
      [{ name: 'None', scopes: [] }, 'scopes'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(81) }, 'name'],
      [{ name: 'Past', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ name: 'Never', expires_at: '9999-12-31T23:59:59-02:00' }, 'expires_at'],
    ] as const) {
      expect(await call(session, 'post', '/keys', body)).toBeRefused(400, 'VALIDATION_ERROR', path)
    }
  })

  test('expire at a time with any offset', async () => {
    const body = { name: 'Import', expires_at: '2999-01-01T00:30:00+02:00' }
    const { data } = (await call(await createTestSession(api), 'post', '/keys', body)).body
    expect(data.expires_at).toBe('2998-12-31T22:30:00.000Z')
  })

  test('are created once, however often the request is repeated under its idempotency key', async () => {
    const session = await createTestSession(api)
    const create = (name: string) => call(session, 'post', '/keys', { name }).set('Idempotency-Key', 'create it once')
    const { body } = await create('Import')
    const { id, key, prefix, last_four } = body.data
    for (let repeats = 0; repeats < 2; repeats++) {
      const repeated = await create('Import')
      expect(repeated).toBeRefused(409, 'KEY_ALREADY_CREATED')
      expect(repeated.body.error.details).toEqual({ id, prefix, last_four })
    }
    expect(await create('Export')).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
    expect((await call(session, 'get', '/keys')).body.data.keys).toHaveLength(1)
    const { rows } = await api.context.db.query<{ text: string }>(
      'SELECT idempotency_keys::text AS text FROM idempotency_keys',
    )
    expect(rows.map(({ text }) => text).join()).not.toContain(key)
  })

  test('are found again if the database has stored the key and its answer was lost', async () => {
    const session = await createTestSession(api)
    const { db } = api.context
    const transaction = db.transaction
    db.transaction = async (work) => {
      await transaction.call(db, work)
      throw Object.assign(new Error('The answer to COMMIT was lost.'), { code: 'ECONNRESET' })
    }
    const create = () => call(session, 'post', '/keys', { name: 'Lost' }).set('Idempotency-Key', 'the lost key')
    try {
      expect((await create()).status).toBe(503)
    } finally {
      db.transaction = transaction
    }
    expect(await create()).toBeRefused(409, 'KEY_ALREADY_CREATED')
    expect((await call(session, 'get', '/keys')).body.data.keys).toHaveLength(1)
  })

  test('that a person has made are refused while the plan includes none; those of operators stay', async () => {
    const session = await createTestSession(api)
    const own = (await call(session, 'post', '/keys', { name: 'Mine' })).body.data.key
    const given = await api.createKey({ email: session.email })
    const renamed = await api.createKey({ email: session.email })
    const shown = (await call(session, 'get', '/keys')).body.data.keys
    const { id } = shown.find(({ last_four }: { last_four: string }) => renamed.endsWith(last_four))
    await call(session, 'patch', `/keys/${id}`, { name: 'Renamed' })
    const use = (key: string) => supertest(api.app).get(`${API_PREFIX}/videos/`).set('X-API-Key', key)
    const move = async (plan: Plan): Promise<void> => {
      await setPlan(api.context, session.email, plan)
      await sleep(600)
    }
    await move('free')
    const refused = await use(own)
    expect(refused).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    expect(refused.body.error.details).toMatchObject({
      feature: 'api_keys',
      current_plan: 'free',
      required_plan: 'plus',
    })
    expect((await use(given)).status).toBe(200)
    expect((await use(renamed)).status).toBe(200)
    await move('plus')
    expect((await use(own)).status).toBe(200)
  })

  test('are not included in the free plan', async () => {
    const session = await createTestSession(api, { plan: 'free' })
    const refused = await call(session, 'post', '/keys', { name: 'Import' })
    expect(refused).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
    expect(refused.body.error.details).toMatchObject({ feature: 'api_keys', required_plan: 'plus' })
  })

  test('are limited to 20 that are active, however many are created at once', async () => {
    const session = await createTestSession(api)
    const created = await Promise.all(
      Array.from({ length: 25 }, (_, at) => call(session, 'post', '/keys', { name: `Key ${at}` })),
    )
    expect(created.filter(({ status }) => status === 201)).toHaveLength(20)
    for (const response of created.filter(({ status }) => status !== 201))
      expect(response).toBeRefused(409, 'KEY_LIMIT_REACHED')
    const [{ id }] = (await call(session, 'get', '/keys')).body.data.keys
    await call(session, 'patch', `/keys/${id}`, { disabled: true })
    expect(await call(session, 'post', '/keys', { name: 'One more' })).toBeRefused(409, 'KEY_LIMIT_REACHED')
    await call(session, 'delete', `/keys/${id}`)
    expect((await call(session, 'post', '/keys', { name: 'One more' })).status).toBe(201)
  })

  test('of others cannot be seen or changed', async () => {
    const owner = await createTestSession(api)
    const { id } = (await call(owner, 'post', '/keys', { name: 'Mine' })).body.data
    const other = await createTestSession(api)
    expect((await call(other, 'get', '/keys')).body.data.keys).toEqual([])
    for (const wrong of [id, 'x', randomUUID()]) {
      expect(await call(other, 'patch', `/keys/${wrong}`, { name: 'Yours' })).toBeRefused(404, 'NOT_FOUND')
      expect(await call(other, 'delete', `/keys/${wrong}`)).toBeRefused(404, 'NOT_FOUND')
    }
    expect((await call(owner, 'get', '/keys')).body.data.keys).toMatchObject([{ name: 'Mine', status: 'active' }])
  })
})
