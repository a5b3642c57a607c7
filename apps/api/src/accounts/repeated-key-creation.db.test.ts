import { randomBytes } from 'node:crypto'
import { API_PREFIX } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import type { Express } from 'express'
import supertest, { type Response } from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi()

interface Creation {
  idempotencyKey?: string
  name?: string
  app?: Express | string
}
const create = (
  { headers }: TestSession,
  { idempotencyKey = 'key-1', name = 'Import', app = api.app }: Creation = {},
) =>
  supertest(app)
    .post(`${API_PREFIX}/account/keys`)
    .set({ ...headers, 'Idempotency-Key': idempotencyKey })
    .send({ name })

const use = (key: string): Promise<Response> =>
  supertest(api.app).get(`${API_PREFIX}/videos/`).set('Authorization', `Bearer ${key}`)

async function idsOfKeys({ headers }: TestSession): Promise<string[]> {
  const { body } = await supertest(api.app).get(`${API_PREFIX}/account/keys`).set(headers)
  return body.data.keys.map(({ id }: { id: string }) => id)
}

test('a repeated request shows the same key, which is not stored unencrypted', async () => {
  const session = await createTestSession(api)
  const first = await create(session)
  const otherBrowser = await createTestSession(api, { email: session.email })
  for (const again of [await create(session), await create(otherBrowser)]) {
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body.data).toEqual(first.body.data)
  }
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
  const { key, id } = first.body.data
  expect((await use(key)).status).toBe(200)
  expect(await idsOfKeys(session)).toEqual([id])
  const { rows } = await api.context.db.query<{ text: string }>(
    `SELECT t::text AS text FROM idempotency_keys t WHERE user_id = $1
     UNION ALL SELECT t::text FROM api_keys t WHERE user_id = $1 UNION ALL SELECT t::text FROM emails t WHERE user_id = $1`,
    [session.userId],
  )
  expect(rows).toHaveLength(3)
  expect(rows.filter(({ text }) => text.includes(key.slice(9, -4)))).toEqual([])
})

test('refuses another body with the same idempotency key', async () => {
  const session = await createTestSession(api)
  const { id } = (await create(session)).body.data
  expect(await create(session, { name: 'Export' })).toBeRefused(422, 'IDEMPOTENCY_KEY_REUSED')
  expect((await create(session, { idempotencyKey: 'key-2', name: 'Export' })).status).toBe(201)
  expect(await idsOfKeys(session)).toEqual([expect.any(String), id])
})

test('shows a key again only to its account, and only soon after a sign-in', async () => {
  const owner = await createTestSession(api)
  const { key } = (await create(owner)).body.data
  const other = await create(await createTestSession(api))
  expect([other.status, other.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect(other.body.data.key).not.toBe(key)
  const old = await createTestSession(api, { email: owner.email, ageMs: 11 * 60_000 })
  expect(await create(old)).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
})

test('a key that was revoked stays revoked when the request that created it is repeated', async () => {
  const session = await createTestSession(api)
  const { key, id } = (await create(session)).body.data
  await supertest(api.app).delete(`${API_PREFIX}/account/keys/${id}`).set(session.headers)
  expect((await create(session)).body.data.key).toBe(key)
  await waitUntil('the key is refused', async () => (await use(key)).status === 401)
  expect(await idsOfKeys(session)).toEqual([id])
})

test('a refused request does not use up its idempotency key', async () => {
  const session = await createTestSession(api, { plan: 'free' })
  expect(await create(session)).toBeRefused(403, 'PLAN_UPGRADE_REQUIRED')
  await api.context.db.query("UPDATE users SET plan = 'plus' WHERE id = $1", [session.userId])
  expect((await create(session)).status).toBe(201)
})

test('an answer that cannot be decrypted any more is not replaced by another key', async () => {
  const session = await createTestSession(api)
  const { key } = (await create(session)).body.data
  const changes = { WEBHOOK_SECRET_KEY: randomBytes(32).toString('base64') }
  await api.withEnv(changes, async (app) => {
    // The secret of session cookies is derived from that key.
    const settings = { ...api.settings, ...changes }
    const there = await createTestSession({ context: api.context, settings }, { email: session.email })
    expect(await create(there, { app })).toBeRefused(500, 'INTERNAL_ERROR')
  })
  expect((await use(key)).status).toBe(200)
})

test('when a process is killed before it stores the answer, the repeated request creates the one key that works', async () => {
  const session = await createTestSession(api)
  const killed = api.openBeside()
  const { db } = killed.context
  const query = db.query.bind(db)
  const kill = new AbortController()
  db.query = ((text: string, values?: unknown[]) => {
    if (text.includes('to_jsonb')) kill.abort()
    // Nothing that a dead process has not sent yet reaches the database.
    return kill.signal.aborted ? new Promise(() => {}) : query(text, values)
  }) as typeof db.query
  const { port } = await api.serve(killed.app)
  const lost = create(session, { app: `http://127.0.0.1:${port}` })
  lost.catch(() => {}) // the client learns no more than that its connection broke

  try {
    await waitUntil('it is dead', () => kill.signal.aborted)
    const [unknown] = await idsOfKeys(session)
    const answer = await waitUntil('its claim is taken over', async () => {
      const response = await create(session)
      if (response.status === 201) return response
      expect(response).toBeRefused(409, 'IDEMPOTENCY_IN_PROGRESS')
      return null
    })
    const { id, key } = answer.body.data
    expect(id).toBe(unknown)
    expect(await idsOfKeys(session)).toEqual([id])
    expect((await use(key)).status).toBe(200)
    expect((await create(session)).body.data).toEqual(answer.body.data)
  } finally {
    lost.abort()
  }
})
