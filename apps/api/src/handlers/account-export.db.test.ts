import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { API_PREFIX } from '@subtext/contracts'
import { EXPORTED_TABLES } from '@subtext/core/accounts'
import { waitUntil } from '@subtext/embedded/testing'
import { strFromU8, unzipSync } from 'fflate'
import supertest from 'supertest'
import { useTestApi } from '../testing/api.ts'
import { addTestConversation } from '../testing/chats.ts'
import { acceptTestBatch, acceptTestJob, completeTestJob } from '../testing/jobs.ts'
import { createTestSession, type TestSession } from '../testing/sessions.ts'

const api = useTestApi({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const PATH = `${API_PREFIX}/account/export`

/** Tables about an account that an export need not contain, and why. */
const NOT_EXPORTED: Record<string, string> = {
  import_keys: 'secrets of the service, from which IDs are derived',
  library_entries: 'an index of the transcripts, which are exported with their jobs',
  jobs: 'in the files of jobs',
  chat_exchanges: 'with their conversation',
  oauth_codes: 'used up within a minute',
  sign_in_links: 'used up within minutes, and only hashes are stored',
  quota_entries: 'lines of the receipts',
  usage_entries: 'lines of the receipts',
  usage_additions: 'lines of the receipts, not yet added up',
}

/** Returns the content of an export by file. */
async function download({ headers }: TestSession): Promise<Record<string, ReturnType<typeof JSON.parse>>> {
  const response = await supertest(api.app).get(PATH).set(headers).buffer(true).responseType('blob')
  expect([response.status, response.headers['content-type']]).toEqual([200, 'application/zip'])
  expect(response.headers['content-disposition']).toBe('attachment; filename="subtext-export.zip"')
  const files = Object.entries(unzipSync(response.body as Buffer))
  return Object.fromEntries(files.map(([path, bytes]) => [path, JSON.parse(strFromU8(bytes))]))
}

test('contains jobs, results, receipts, conversations, batches, keys and the webhook log', async () => {
  const email = 'exporter@example.org'
  const key = await api.createKey({ email })
  const session = await createTestSession(api, { email })
  const finished = await acceptTestJob(api.context, key, { customInstructions: 'Short.' })
  await completeTestJob(api.context, finished)
  const conversation = await addTestConversation(api.context, key, finished)
  const waiting = await acceptTestJob(api.context, key)
  const batch = await acceptTestBatch(api.context, key, 1)
  await supertest(api.app)
    .post(`${API_PREFIX}/webhooks/test`)
    .set(session.headers)
    .set('Idempotency-Key', 'once')
    .send({ url: 'http://127.0.0.1:9/hook' })
  const other = await createTestSession(api)
  const files = await download(session)
  expect(files['account.json']).toMatchObject({ user: { email }, plan: 'pro' })
  const jobs = files['jobs/00001.json']
  expect(jobs).toHaveLength(3)
  const find = (id: string) => jobs.find(({ job }: { job: { job_id: string } }) => job.job_id === id)
  expect(find(waiting)).toMatchObject({ job: { status: 'queued' }, result: null, conversations: [] })
  expect(find(finished)).toMatchObject({
    job: { status: 'completed' },
    request: { custom_instructions: 'Short.' },
    receipt: { job_id: finished },
    result: { transcript: { segments: [{ text: 'Rain falls.' }, {}, {}] }, summaries: { tldr: {} } },
    conversations: [{ conversation_id: conversation, messages: [{ content: 'Why?' }, { role: 'assistant' }] }],
  })
  expect(files['batches.json']).toMatchObject([{ id: batch, total: 1 }])
  expect(files['api_keys.json']).toMatchObject([{ last_four: key.slice(-4) }])
  expect(files['sessions.json']).toMatchObject([{ id: session.sessionId }])
  expect(files['webhook_deliveries.json']).toMatchObject([{ url: 'http://127.0.0.1:9/hook', attempt_log: [] }])
  expect(files['idempotency_keys.json']).toMatchObject([{ key: 'once' }])
  expect((await download(other))['jobs/00001.json']).toEqual([])
})

test('contains no key, secret, token or hash of one', async () => {
  const session = await createTestSession(api)
  const create = supertest(api.app).post(`${API_PREFIX}/account/keys`).set(session.headers).send({ name: 'Import' })
  const { key } = (await create).body.data
  const rotate = supertest(api.app).post(`${API_PREFIX}/webhooks/secret/rotate`).set(session.headers)
  const { secret } = (await rotate).body.data
  const { rows } = await api.context.db.query<{ token: string }>('SELECT token FROM sessions WHERE id = $1', [
    session.sessionId,
  ])
  const text = JSON.stringify(await download(session))
  const hash = createHash('sha256').update(key)
  for (const hidden of [key, secret, rows[0]?.token ?? '', hash.copy().digest('hex'), hash.digest('base64')]) {
    expect(hidden).not.toBe('')
    expect(text).not.toContain(hidden)
  }
  expect(text).toContain(key.slice(-4))
})

test('covers every table that contains data about an account', async () => {
  const { rows } = await api.context.db.query<{ name: string }>(
    `SELECT DISTINCT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t
     USING (table_schema, table_name) WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND c.column_name IN ('user_id', 'account_id') ORDER BY 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([...EXPORTED_TABLES, ...Object.keys(NOT_EXPORTED)].sort())
})

test('reads large tables in pages, and writes jobs to several files', async () => {
  const session = await createTestSession(api)
  const { db } = api.context
  await db.query(
    `INSERT INTO batches (id, user_id, total, pending, created_at)
     SELECT gen_random_uuid(), $1, 1, 1, now() FROM generate_series(1, 450)`,
    [session.userId],
  )
  await db.query(
    `INSERT INTO usage_rollups (user_id, api_key_id, span, starts_at, requests)
     SELECT $1, gen_random_uuid(), span::rollup_span, '2026-01-01T00:00Z'::timestamptz + n * interval '1 day', n
     FROM generate_series(1, 230) n, unnest(ARRAY['hour', 'day']) span`,
    [session.userId],
  )
  const key = await api.createKey({ email: session.email })
  const jobs = await Promise.all(Array.from({ length: 103 }, () => acceptTestJob(api.context, key)))
  const files = await download(session)
  const idsOf = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id)).size
  expect([files['batches.json'].length, idsOf(files['batches.json'])]).toEqual([450, 450])
  expect(files['usage_rollups.json']).toHaveLength(460)
  const [first, second] = [files['jobs/00001.json'], files['jobs/00002.json']]
  expect([first.length, second.length, files['jobs/00003.json']]).toEqual([100, 3, undefined])
  const exported = [...first, ...second].map(({ job }: { job: { job_id: string } }) => job.job_id)
  expect(exported.sort()).toEqual(jobs.sort())
})

test('runs once at a time for an account, and releases its slot when the reader disconnects or the session ends', async () => {
  const session = await createTestSession(api)
  const elsewhere = await createTestSession(api, { email: session.email })
  const release = api.context.acquireExport(session.userId)
  const refused = await supertest(api.app).get(PATH).set(session.headers)
  expect(refused).toBeRefused(429, 'RATE_LIMITED')
  release()
  const key = await api.createKey({ email: session.email })
  // About 8 MB when compressed, twice what Linux lets a send buffer grow to, and a receive buffer hardly grows while nobody
  // reads: the archive waits for its reader.
  const cues = Array.from({ length: 120_000 }, (_, at) => ({
    startMs: at * 10,
    durationMs: 10,
    text: createHash('sha512').update(String(at)).digest('base64'),
  }))
  const job = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, job, { cues })
  const { port } = await api.serve()
  const begin = async ({ headers }: TestSession) => {
    const sent = request({ port, path: PATH, headers }).end()
    const [response] = await once(sent, 'response')
    return (response as IncomingMessage).on('error', () => {})
  }
  const isFree = () => {
    try {
      api.context.acquireExport(session.userId)()
      return true
    } catch {
      return false
    }
  }
  const left = await begin(session)
  expect(isFree()).toBe(false)
  left.destroy()
  await waitUntil('the export of a reader that went away to end', isFree)
  const ended = await begin(elsewhere)
  expect(isFree()).toBe(false)
  await api.context.db.query('DELETE FROM sessions WHERE id = $1', [elsewhere.sessionId])
  await waitUntil('the export of an ended session to end', isFree)
  ended.resume()
  await waitUntil('the connection to close', () => ended.closed)
  expect(ended.complete).toBe(false)
})

test('an archive whose reading fails is cut off before its directory', async () => {
  const session = await createTestSession(api)
  const { app } = api.openBeside()
  const key = await api.createKey({ email: session.email })
  const job = await acceptTestJob(api.context, key)
  await completeTestJob(api.context, job)
  // A result without its row cannot be read.
  await api.context.db.query('DELETE FROM results WHERE job_id = $1', [job])
  const failed = supertest(app).get(PATH).set(session.headers).buffer(true).responseType('blob')
  await expect(failed).rejects.toThrow(/aborted|hang up/)
})
