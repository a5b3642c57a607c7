import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { useTestDatabase } from '@subtext/db/testing'
import { openExchange } from '../chats/exchanges-sql.ts'
import { acceptDerivedJob } from '../jobs/derive-sql.ts'
import { newJob } from '../testing/index.ts'
import { queueRedelivery } from '../webhooks/events-sql.ts'
import { deleteOldJobs, deleteOldWebhookEvents } from './retention-sql.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

/** So many that a statement is busy with them for long enough that something else happens meanwhile. */
const JOBS = 3_000
const OLD = { before: new Date(Date.now() - 86_400_000), limit: JOBS }
const userId = randomUUID()
let lastId: string
/** A conversation about the last job. */
const conversationId = randomUUID()

/** Stores jobs that ended long ago, each with an event that was delivered. The statements come to `lastId` last. */
beforeEach(async () => {
  await db.query('TRUNCATE jobs, webhook_events CASCADE')
  await db.query(
    `INSERT INTO jobs (id, user_id, lane, priority, video_id, options, status, step, progress, wake_at, created_at, updated_at,
       completed_at)
     SELECT ('0190b0c4-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'normal', 'normal', 'dQw4w9WgXcQ', '{}',
       'completed', 'completed', 100, at, at, at, at
     FROM generate_series(1, $2::int) n, (SELECT now() - interval '9 days') times(at)`,
    [userId, JOBS],
  )
  await db.query(
    `INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
     SELECT id, user_id, 'job.completed', id, '{}', created_at FROM jobs`,
  )
  await db.query(
    `INSERT INTO webhook_deliveries (id, event_id, user_id, url, status, receiver_key, endpoint_key, next_attempt_at,
       created_at, updated_at)
     SELECT id, id, user_id, 'https://example.org', 'delivered', user_id, user_id, created_at, created_at, created_at
     FROM webhook_events`,
  )
  await db.query(
    `INSERT INTO chat_conversations (id, job_id, user_id, title, created_at, updated_at)
     SELECT $1, id, user_id, 'What is it about?', created_at, created_at FROM jobs ORDER BY id DESC LIMIT 1`,
    [conversationId],
  )
  await db.query('ANALYZE')
  // Opens the connections.
  await Promise.all([1, 2, 3].map(() => db.query('SELECT pg_sleep(0.05)')))
  const { rows } = await db.query<{ id: string }>('SELECT id FROM jobs ORDER BY id DESC LIMIT 1')
  lastId = rows[0]?.id ?? ''
})

const exists = async (table: string) => (await db.query(`SELECT FROM ${table} WHERE id = $1`, [lastId])).rowCount === 1

const derive = async () => {
  const { options } = newJob()
  const job = { id: randomUUID(), userId, apiKeyId: null, sourceId: lastId, options }
  const { outcome } = await acceptDerivedJob(
    db,
    { ...job, customInstructions: null, webhookUrl: null },
    { limit: 20, now: new Date(), wakeSeconds: 60 },
  )
  return outcome === 'accepted'
}
const ask = async (conversation: { id: string; title: string | null }) => {
  const now = new Date()
  const { outcome } = await openExchange(db, {
    id: randomUUID(),
    conversationId: conversation.id,
    title: conversation.title,
    jobId: lastId,
    userId,
    apiKeyId: null,
    question: 'What is it about?',
    regenerate: false,
    leaseToken: randomUUID(),
    leaseSeconds: 60,
    quota: null,
    maxExchanges: 10,
    now,
  })
  return outcome === 'opened'
}
const askFirst = () => ask({ id: randomUUID(), title: 'What is it about?' })
const askMore = () => ask({ id: conversationId, title: null })
const requestDelivery = () => queueRedelivery(db, userId, lastId)

test.each([
  ['a job', 'a job is derived from it', 'jobs', deleteOldJobs, derive],
  ['a job', 'a question is asked about it', 'jobs', deleteOldJobs, askFirst],
  ['a job', 'a conversation about it continues', 'jobs', deleteOldJobs, askMore],
  ['a job', 'its event is delivered again', 'jobs', deleteOldJobs, requestDelivery],
  ['an event', 'it is delivered again', 'webhook_events', deleteOldWebhookEvents, requestDelivery],
])('%s is kept if %s while it is about to be deleted', async (_, __, table, purge, use) => {
  const purged = purge(db, OLD)
  const used = sleep(2).then(use)
  expect(await purged).toBe(JOBS - ((await used) ? 1 : 0))
  expect(await exists(table)).toBe(await used)
})

test('a job from which another was derived is kept until that job has ended', async () => {
  expect(await derive()).toBe(true)
  expect(await deleteOldJobs(db, OLD)).toBe(JOBS - 1)
  expect(await exists('jobs')).toBe(true)
})
