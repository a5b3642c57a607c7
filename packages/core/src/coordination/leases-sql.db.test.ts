import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { acquireLease, deleteEndedLeases, releaseLease, renewLease, takeLease } from './leases-sql.ts'

const { db } = useTestDatabase()

const [mine, yours] = [randomUUID(), randomUUID()]

test('gives a lease to one holder until it is released', async () => {
  expect(await acquireLease(db, 'a', mine, 60)).toBe(true)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  expect(await acquireLease(db, 'b', yours, 60)).toBe(true)
  await releaseLease(db, { key: 'a', token: yours })
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  await releaseLease(db, { key: 'a', token: mine })
  expect(await acquireLease(db, 'a', yours, 60)).toBe(true)
})

test('lets the holder extend a lease, and another holder acquire it after it has expired', async () => {
  await acquireLease(db, 'c', mine, -1)
  expect(await acquireLease(db, 'c', mine, 60)).toBe(true)
  expect(await acquireLease(db, 'c', yours, 60)).toBe(false)
  await acquireLease(db, 'c', mine, -1)
  expect(await acquireLease(db, 'c', yours, 60)).toBe(true)
  expect(await acquireLease(db, 'c', mine, 60)).toBe(false)
})

test('extends a lease that has expired, but not one that another holder has had since', async () => {
  const lease = { key: 'extended', token: mine, seconds: 60 }
  expect(await renewLease(db, lease)).toBe(false)
  await acquireLease(db, lease.key, mine, -1)
  expect(await renewLease(db, lease)).toBe(true)
  expect(await acquireLease(db, lease.key, yours, 60)).toBe(false)
  await acquireLease(db, lease.key, mine, -1)
  expect(await acquireLease(db, lease.key, yours, 60)).toBe(true)
  await releaseLease(db, { key: lease.key, token: yours })
  expect(await renewLease(db, lease)).toBe(false)
})

test.each(['new', 'expired'])('gives a %s lease to one of ten concurrent callers', async (kind) => {
  if (kind === 'expired') await acquireLease(db, kind, mine, -1)
  const got = await Promise.all(Array.from({ length: 10 }, () => acquireLease(db, kind, randomUUID(), 60)))
  expect(got.filter(Boolean)).toHaveLength(1)
})

test('says whether another holder had the lease shortly before', async () => {
  const take = (token: string) => takeLease(db, { key: 'd', token, seconds: 60 })
  expect(await take(mine)).toBe('new')
  expect(await take(yours)).toBe('held')
  await releaseLease(db, { key: 'd', token: mine })
  expect(await take(yours)).toBe('taken over')
  expect(await take(yours)).toBe('taken over')
})

test('deletes leases a minute after their end, and no others', async () => {
  await db.query('DELETE FROM leases')
  for (const key of ['ended', 'released', 'held']) await acquireLease(db, key, mine, 60)
  await releaseLease(db, { key: 'released', token: mine })
  await db.query(`UPDATE leases SET until = now() - interval '61 s' WHERE key = 'ended'`)
  expect(await deleteEndedLeases(db, 100)).toBe(1)
  const { rows } = await db.query<{ key: string }>('SELECT key FROM leases ORDER BY key')
  expect(rows.map(({ key }) => key)).toEqual(['held', 'released'])
})
