import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { createLogger } from '@subtext/runtime'
import { restoreAccount, suspendAccount } from '../operations/index.ts'
import { describeWatched, listFollowers } from './watches-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2, per: 'test' })
const BY = { command: 'a test' }

/** Stores a source that an account follows. */
async function storeSubscription() {
  const [userId, sourceId, linkId, id] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await db.query(`INSERT INTO users (id, email, plan) VALUES ($1::uuid, $1::text || '@example.org', 'pro')`, [userId])
  await db.query(`INSERT INTO sources (id, kind, platform_id, used_at) VALUES ($1::uuid, 'channel', $1::text, now())`, [
    sourceId,
  ])
  await db.query('INSERT INTO account_sources (id, user_id, source_id, created_at) VALUES ($1, $2, $3, now())', [
    linkId,
    userId,
    sourceId,
  ])
  await db.query(
    `INSERT INTO subscriptions (id, user_id, account_source_id, action, options, priority, stop_key, digested_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'process', '{}', 'normal', '', now(), now(), now())`,
    [id, userId, linkId],
  )
  return { userId, sourceId, id }
}

test('nothing is looked for while an account is suspended, and at once when it is restored', async () => {
  const ctx = { db, clock: () => new Date(), log: createLogger('test', 'fatal') }
  const { userId, sourceId, id } = await storeSubscription()
  expect(await listFollowers(db, sourceId)).toEqual([id])
  await suspendAccount(ctx, BY, userId, null)
  expect(await listFollowers(db, sourceId)).toEqual([])
  expect(await describeWatched(db, sourceId)).toMatchObject({ isFollowed: false, isUnseeded: false })
  await restoreAccount(ctx, BY, userId)
  expect(await listFollowers(db, sourceId)).toEqual([id])
  const { rows } = await db.query('SELECT source_id FROM source_watches WHERE due_at <= now()')
  expect(rows).toEqual([{ source_id: sourceId }])
})
