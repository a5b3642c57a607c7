import { API_PREFIX, VideoOptions } from '@subtext/contracts'
import { deleteAccountContent, markAccountDeleted, purgeDeletedAccounts } from '@subtext/core/accounts'
import { submitBatch } from '@subtext/core/batches'
import { findBlob, keepBlob, purgeBlobs } from '@subtext/core/blobs'
import { newJob } from '@subtext/core/testing'
import { rotateOwnWebhookSecret, sendTestEvent } from '@subtext/core/webhooks'
import type { Sql } from '@subtext/db'
import supertest from 'supertest'
import { holderOf } from '../testing/accounts.ts'
import { useTestApi } from '../testing/api.ts'
import { addTestConversation } from '../testing/chats.ts'
import { acceptTestBatch, acceptTestJob, addTestInfographic, completeTestJob, VIDEO_URL } from '../testing/jobs.ts'
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

/** After the time in which requests that ended a moment before the deletion are still being counted. */
const later = () => new Date(Date.now() + 120_000)
const purge = (stopping = new AbortController().signal) =>
  purgeDeletedAccounts({ ...api.context, clock: later }, stopping)

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

  // What the process still has to count, so that it does so before the purge and not after it.
  await api.context.requestCounter.flush()
  await purge()
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

test('deleting an account requires a sign-in within the last 10 minutes', async () => {
  const session = await createTestSession(api, { ageMs: 11 * 60_000 })
  expect(await remove(session, session.email)).toBeRefused(403, 'REAUTHENTICATION_REQUIRED')
  expect((await supertest(api.app).get(`${API_PREFIX}/account`).set(session.headers)).status).toBe(200)
})

test('deletes the files and conversations of jobs, and emails to the address', async () => {
  const email = 'filer@example.org'
  const key = await api.createKey({ email })
  const session = await createTestSession(api, { email })
  const job = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, job)
  await addTestInfographic(api.context, job)
  const conversation = await addTestConversation(api.context, key, job)
  const file = { jobId: job, name: 'card.png', contentType: 'image/png' }
  await keepBlob(api.context, file, Buffer.from('picture'))
  expect(await findBlob(api.context, file)).not.toBeNull()
  const { rows: blobs } = await api.context.db.query<{ key: string }>('SELECT key FROM blobs WHERE job_id = $1', [job])
  await api.context.db.query(
    `INSERT INTO emails (id, recipient, kind, next_attempt_at, expires_at, created_at)
     VALUES (gen_random_uuid(), $1, 'not_invited', now() + interval '1 day', now() + interval '2 days', now())`,
    [email],
  )
  expect((await remove(session, email)).status).toBe(200)
  await purge()
  await purgeBlobs({ ...api.context, clock: later }, new AbortController().signal)
  expect(await findBlob(api.context, file)).toBeNull()
  const { rows } = await api.context.db.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM blobs WHERE key = $1) AS blobs,
       (SELECT count(*)::int FROM infographics WHERE job_id = $2) AS infographics,
       (SELECT count(*)::int FROM chat_conversations WHERE id = $3) AS conversations,
       (SELECT count(*)::int FROM chat_exchanges WHERE conversation_id = $3) AS exchanges,
       (SELECT count(*)::int FROM emails WHERE recipient = $4) AS emails`,
    [blobs[0]?.key, job, conversation, email],
  )
  expect(rows[0]).toEqual({ blobs: 0, infographics: 0, conversations: 0, exchanges: 0, emails: 0 })
})

test('a deletion that is interrupted anywhere is continued, by any number of processes', async () => {
  const { db } = api.context
  const session = await createTestSession(api)
  const { userId, email } = session
  const key = await api.createKey({ email })
  await Promise.all(Array.from({ length: 30 }, () => acceptTestJob(api.context, key)))
  expect(await markAccountDeleted(db, { userId, email }, new Date())).toBe(true)
  expect(await markAccountDeleted(db, { userId, email }, new Date())).toBe(false)
  // The process dies after its first statement.
  expect(await deleteAccountContent(db, userId, 10)).toBe(10)
  const stopping = new AbortController()
  stopping.abort()
  expect(await purge(stopping.signal)).toBe(0)
  const count = async () => (await db.query('SELECT FROM jobs WHERE user_id = $1', [userId])).rowCount
  expect(await count()).toBe(20)
  await Promise.all([purge(), purge(), purge()])
  expect(await findRows(userId, ['user_id', 'id'])).toEqual({})
})

test('what requests have created that were under way when an account was deleted is deleted as well', async () => {
  const { context } = api
  const session = await createTestSession(api)
  const { userId, email } = session
  const holder = await holderOf(context, await api.createKey({ email, plan: 'pro' }))
  const admin = { ...holder, scopes: ['admin' as const] }
  await markAccountDeleted(context.db, session, new Date())
  await context.accept(newJob({ userId, apiKeyId: holder.apiKeyId }))
  const videos = [{ url: VIDEO_URL, options: VideoOptions.parse({}) }]
  await submitBatch(context, admin, { videos, priority: 'normal' }, { signal: new AbortController().signal })
  await rotateOwnWebhookSecret(context, holder)
  await sendTestEvent(context, holder, 'http://127.0.0.1:9/')
  const created = await findRows(userId, ['user_id'])
  for (const table of ['jobs', 'batches', 'webhook_secrets', 'webhook_events', 'webhook_deliveries']) {
    expect(created).toHaveProperty([`${table}.user_id`])
  }
  await purge()
  expect(await findRows(userId, ['user_id', 'id'])).toEqual({})
})

test('a large account is gone for its owner at once, and deleted in limited statements', async () => {
  const session = await createTestSession(api)
  const { db } = api.context
  const [{ id: first }] = (
    await db.query<{ id: string }>(
      `WITH added AS (
         INSERT INTO jobs (id, user_id, lane, priority, video_id, options, wake_at, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 'normal', 'normal', 'dQw4w9WgXcQ', '{}', now(), now(), now()
         FROM generate_series(1, 1500) RETURNING id
       ) SELECT id FROM added LIMIT 1`,
      [session.userId],
    )
  ).rows as [{ id: string }]
  const deleted: number[] = []
  const watch = (sql: Sql): Sql => ({
    async query<Row>(text: string, values?: unknown[]) {
      const result = await sql.query<Row>(text, values)
      if (text.includes('DELETE FROM jobs')) deleted.push(result.rowCount)
      return result
    },
  })
  const watched = {
    ...api.context,
    clock: later,
    db: { ...db, transaction: <T>(work: (sql: Sql) => Promise<T>) => db.transaction((sql) => work(watch(sql))) },
  }
  await markAccountDeleted(db, session, new Date())
  expect((await supertest(api.app).get(`${API_PREFIX}/videos/`).set(session.headers)).status).toBe(401)
  await purgeDeletedAccounts(watched, new AbortController().signal)
  expect(await findRows(first, ['job_id', 'subject_id', 'id'])).toEqual({})
  expect(Math.max(...deleted)).toBe(200)
  expect(deleted.reduce((sum, rows) => sum + rows, 0)).toBe(1_500)
})
