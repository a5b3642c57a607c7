import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimDigest } from './digests-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2, per: 'test' })

async function storeDigest(userId: string, dueSecondsAgo: number): Promise<string> {
  const [id, batchId] = [randomUUID(), randomUUID()]
  await db.query(
    `INSERT INTO users (id, email, plan) VALUES ($1::uuid, $1::text || '@example.org', 'pro') ON CONFLICT DO NOTHING`,
    [userId],
  )
  await db.query(
    `INSERT INTO batches (id, user_id, status, total, pending, succeeded, created_at, completed_at)
     VALUES ($1, $2, 'completed', 1, 0, 1, now(), now())`,
    [batchId, userId],
  )
  await db.query(
    `INSERT INTO digests (id, user_id, batch_id, created_at, due_at)
     VALUES ($1, $2, $3, now(), now() - make_interval(secs => $4))`,
    [id, userId, batchId, dueSecondsAgo],
  )
  return id
}
const claim = async () => (await claimDigest(db, { token: randomUUID(), leaseSeconds: 60 }))?.id
const complete = (id: string | undefined) =>
  db.query(`UPDATE digests SET status = 'completed', due_at = NULL, completed_at = now() WHERE id = $1`, [id])

test('the digest of another account is not behind all of those of one, whether one or several are made at a time', async () => {
  const [many, few] = [randomUUID(), randomUUID()]
  const first = await storeDigest(many, 40)
  const second = await storeDigest(many, 30)
  const third = await storeDigest(many, 20)
  const other = await storeDigest(few, 10)
  expect([await claim(), await claim()]).toEqual([first, other])
  await complete(other)
  await complete(first)
  const later = await storeDigest(few, 5)
  // It has had its turn before the other account.
  expect([await claim(), await claim(), await claim(), await claim()]).toEqual([later, second, third, undefined])
})
