import { randomUUID } from 'node:crypto'
import { storeEvent, storeJob, storeSubscription } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { checkFollowing, countUnfinishedItems } from './check-following.ts'

const { db } = useTestDatabase({ maxConnections: 2, per: 'test' })

/** Stores a subscription that looks for a word, with an item of `v1` that has ended, its job and its events. Returns the account. */
async function storeFollowing(): Promise<string> {
  const { id: jobId } = await storeJob(db)
  const { rows } = await db.query<{ userId: string }>(
    `UPDATE jobs SET status = 'completed', video_id = 'v1', started_at = now(), completed_at = now() WHERE id = $1
     RETURNING user_id AS "userId"`,
    [jobId],
  )
  const { id, userId } = await storeSubscription(db, { userId: rows[0]?.userId ?? '', match: { any: ['tide'] } })
  const itemId = randomUUID()
  await db.query(
    `INSERT INTO subscription_items (subscription_id, video_id, id, title, type, state, job_id, ended_at, created_at, updated_at)
     VALUES ($1, 'v1', $2, '', 'video', 'processed', $3, now(), now(), now())`,
    [id, itemId, jobId],
  )
  for (const type of ['subscription.video', 'subscription.matched'] as const) {
    await storeEvent(db, { userId, subjectId: itemId, type })
  }
  return userId
}

const listBroken = async (published: string[]): Promise<string[]> =>
  Object.entries(await checkFollowing(db, published)).flatMap(([promise, rows]) => (rows.length > 0 ? promise : []))

test('a video that was handled once breaks no promise', async () => {
  await storeFollowing()
  expect([await listBroken(['v1']), await countUnfinishedItems(db, ['v1'])]).toEqual([[], 0])
})

test('a video that was missed is found', async () => {
  await storeFollowing()
  expect(await listBroken(['v1', 'v2'])).toEqual(['a published video was not handled'])
  expect(await countUnfinishedItems(db, ['v1', 'v2'])).toBe(1)
})

test.each([
  [
    'an item that waits although its job has ended',
    "UPDATE subscription_items SET state = 'waiting', ended_at = NULL",
    [
      'a published video was not handled',
      'an item says more or less than its job',
      'an item was not told exactly once, or without having ended',
    ],
  ],
  [
    'an item of which nobody was told',
    "DELETE FROM webhook_events WHERE type = 'subscription.video'",
    ['an item was not told exactly once, or without having ended'],
  ],
  [
    'a word of which nobody was told',
    "DELETE FROM webhook_events WHERE type = 'subscription.matched'",
    ['a word was not told of, or told of twice'],
  ],
  [
    'an item whose job has failed',
    "UPDATE jobs SET status = 'failed', error = '{}'",
    ['an item says more or less than its job'],
  ],
] as const)('%s is found', async (_, statement, broken) => {
  await storeFollowing()
  await db.query(statement)
  expect(await listBroken(['v1'])).toEqual(broken)
})

test('a second job of a video and a second event of an item are found', async () => {
  const userId = await storeFollowing()
  const { id } = await storeJob(db)
  await db.query(
    `UPDATE jobs SET user_id = $2, status = 'completed', video_id = 'v1', started_at = now(), completed_at = now() WHERE id = $1`,
    [id, userId],
  )
  await db.query('DROP INDEX webhook_events_subject_id_type_key')
  await db.query(
    `INSERT INTO webhook_events (id, user_id, type, subject_id, body, created_at)
     SELECT gen_random_uuid(), user_id, type, subject_id, body, created_at FROM webhook_events`,
  )
  expect(await listBroken(['v1'])).toEqual([
    'a published video was processed twice',
    'an item was not told exactly once, or without having ended',
    'a word was not told of, or told of twice',
  ])
})
