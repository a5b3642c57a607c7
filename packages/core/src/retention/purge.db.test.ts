import { useTestDatabase } from '@subtext/db/testing'
import { v7 as newId } from 'uuid'
import { acquireLease } from '../coordination/leases-sql.ts'
import { listActions, recordAction } from '../operations/index.ts'
import { saveTranscript } from '../transcripts/transcripts-sql.ts'
import { purgeAll, purgeOld, purgeUnused } from './purge.ts'

const { db } = useTestDatabase({ per: 'test' })
const ctx = { db, clock: () => new Date() }
const NEVER = new AbortController().signal
const KEEP_ALL = { resultsDays: 0, cacheDays: 0, webhooksDays: 0 }
const TRACK = { key: '.en', language: 'en', kind: 'manual' as const, name: 'English', isDefault: true }
const MORE_THAN_A_ROUND = 5_150

const addOldThumbnails = (rows: number) =>
  db.query(
    `INSERT INTO thumbnails (video_id, standard, maxres, checked_at)
     SELECT n::text, true, true, now() - interval '31 days' FROM generate_series(1, $1) n`,
    [rows],
  )
const countThumbnails = async (): Promise<number> =>
  (await db.query<{ count: number }>('SELECT count(*)::int AS count FROM thumbnails')).rows[0]?.count ?? 0

test('a purge deletes everything that is due, and a round of a worker only some of it', async () => {
  await addOldThumbnails(MORE_THAN_A_ROUND)
  await purgeOld(ctx, KEEP_ALL, NEVER)
  expect(await countThumbnails()).toBe(150)
  await db.query('DELETE FROM thumbnails')
  await addOldThumbnails(MORE_THAN_A_ROUND)
  expect(await purgeAll(ctx, KEEP_ALL, NEVER)).toMatchObject({ thumbnails: MORE_THAN_A_ROUND })
  expect(await countThumbnails()).toBe(0)
})

test('a purge looks for unused rows although a worker has done so within the hour', async () => {
  const policy = { ...KEEP_ALL, cacheDays: 10 }
  const id = newId({ msecs: Date.now() - 30 * 86_400_000 })
  await saveTranscript(db, { id, videoId: 'aaaaaaaaaaa', track: TRACK, cues: [] })
  await db.query("UPDATE transcripts SET fetched_at = now() - interval '30 days'")
  await acquireLease(db, 'purge unused', newId(), 3_600)
  await purgeUnused(ctx, policy, NEVER)
  expect(await purgeAll(ctx, policy, NEVER)).toMatchObject({ transcripts: 1, summaries: 0 })
  expect(await purgeAll(ctx, policy, NEVER)).toMatchObject({ transcripts: 0, summaries: 0 })
})

test('a purge deletes the record of what operators did after two years, whatever the policy', async () => {
  const record = (days: number) => {
    const at = new Date(Date.now() - days * 86_400_000)
    return recordAction(db, { action: 'invite', by: { command: `${days} days` }, accountId: null }, at)
  }
  for (const days of [731, 729]) await record(days)
  expect(await purgeAll(ctx, KEEP_ALL, NEVER)).toMatchObject({ 'actions of operators': 1 })
  expect((await listActions(ctx, { limit: 10 })).actions).toMatchObject([{ command: '729 days' }])
})

test.each([
  [0, { 'events of subscriptions': 1 }, ['job.completed', 'subscription.paused']],
  [60, { 'webhook events': 0 }, ['job.completed', 'subscription.paused', 'subscription.video']],
])(
  'where webhook events are kept for %j days, old ones of subscriptions are purged as told',
  async (webhooksDays, counts, kept) => {
    const userId = newId()
    await db.query(
      "INSERT INTO users (id, email, name, email_verified, created_at, updated_at) VALUES ($1, $2, '', true, now(), now())",
      [userId, `${userId}@example.org`],
    )
    const add = (type: string, days: number) => {
      const at = new Date(Date.now() - days * 86_400_000)
      return db.query(
        'INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at) VALUES ($1, $2, $3, $1, $4, $5)',
        [newId({ msecs: at.getTime() }), userId, type, Buffer.from('{}'), at],
      )
    }
    await add('subscription.video', 31)
    await add('subscription.paused', 29)
    await add('job.completed', 31)
    const deleted = await purgeAll(ctx, { ...KEEP_ALL, resultsDays: 30, webhooksDays }, NEVER)
    expect(deleted).toMatchObject(counts)
    const { rows } = await db.query<{ type: string }>('SELECT type FROM webhook_events ORDER BY type')
    expect(rows.map(({ type }) => type)).toEqual(kept)
  },
)

test('a purge that is interrupted deletes no more', async () => {
  await addOldThumbnails(1)
  expect(await purgeAll(ctx, KEEP_ALL, AbortSignal.abort())).toEqual({})
  expect(await countThumbnails()).toBe(1)
})
