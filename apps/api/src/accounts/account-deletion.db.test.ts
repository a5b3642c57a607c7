import { API_PREFIX } from '@subtext/contracts'
import { purgeDeletedAccounts } from '@subtext/core/accounts'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob, VIDEO_URL } from '../testing/jobs.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })

const remove = ({ headers }: TestSession, confirm: string) =>
  supertest(api.app).delete(`${API_PREFIX}/account`).set(headers).send({ confirm })

/** Returns the tables in which a value occurs in one of these columns, with the number of rows. */
async function findRows(value: string, columns: string[]): Promise<Record<string, number>> {
  const { rows: places } = await api.context.db.query<{ table: string; column: string }>(
    `SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.data_type = 'uuid'
       AND c.column_name = ANY ($1)`,
    [columns],
  )
  expect(places.length).toBeGreaterThan(5)
  const found: Record<string, number> = {}
  for (const { table, column } of places) {
    const { rowCount } = await api.context.db.query(`SELECT FROM ${table} WHERE ${column} = $1`, [value])
    if (rowCount > 0) found[`${table}.${column}`] = rowCount
  }
  return found
}

test('deletes everything of the account, and nothing of others', async () => {
  const email = 'leaver@example.org'
  const key = await api.createKey({ email })
  const session = await createTestSession(api, { email })
  const other = await createTestSession(api)
  const finished = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, finished)
  const waiting = await acceptTestJob(api.context, key)
  await acceptTestBatch(api.context, key, 3)
  const post = (path: string, headers: Record<string, string>, body: object) =>
    supertest(api.app).post(`${API_PREFIX}${path}`).set(headers).set('Idempotency-Key', 'once').send(body)
  await post('/webhooks/test', session.headers, { url: 'http://127.0.0.1:9/' })
  await post('/videos/process', other.headers, { url: VIDEO_URL })
  await api.context.requestCounter.flush()
  const kept = await findRows(other.userId, ['user_id', 'id'])
  expect(Object.keys(await findRows(session.userId, ['user_id', 'id'])).length).toBeGreaterThan(10)

  expect(await remove(session, 'other@example.org')).toBeRefused(400, 'VALIDATION_ERROR', 'confirm')
  const removed = await remove(session, ' Leaver@example.org ')
  expect([removed.status, removed.body.data]).toEqual([200, { deleted: true }])
  expect(String(removed.headers['set-cookie'])).toMatch(
    /^subtext\.session_token=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/,
  )
  expect((await remove(session, email)).status).toBe(401)
  for (const job of [finished, waiting]) expect(await findRows(job, ['job_id', 'subject_id'])).toEqual({})

  const later = () => new Date(Date.now() + 120_000)
  await purgeDeletedAccounts({ ...api.context, clock: later }, new AbortController().signal)
  expect(await findRows(session.userId, ['user_id', 'id'])).toEqual({})
  expect(await findRows(other.userId, ['user_id', 'id'])).toEqual(kept)
  const again = await createTestSession(api, { email })
  expect((await supertest(api.app).get(`${API_PREFIX}/account`).set(again.headers)).status).toBe(200)
})

test('keys and all sessions of a deleted account are refused', async () => {
  const session = await createTestSession(api, { plan: 'plus' })
  const elsewhere = await createTestSession(api, { email: session.email })
  const create = supertest(api.app).post(`${API_PREFIX}/account/keys`).set(session.headers).send({ name: 'Import' })
  const { key } = (await create).body.data
  await remove(session, session.email)
  const list = supertest(api.app).get(`${API_PREFIX}/videos/`)
  expect((await list.set('X-API-Key', key)).status).toBe(401)
  expect((await supertest(api.app).get(`${API_PREFIX}/videos/`).set(elsewhere.headers)).status).toBe(401)
})

test('deleting an account needs a sign-in of the last 10 minutes', async () => {
  const session = await createTestSession(api, { ageMs: 11 * 60_000 })
  expect(await remove(session, session.email)).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
  expect((await supertest(api.app).get(`${API_PREFIX}/account`).set(session.headers)).status).toBe(200)
})
