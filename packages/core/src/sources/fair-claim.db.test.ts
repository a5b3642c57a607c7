import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimSource } from './listing-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2, per: 'test' })

/** Stores an account that has caused listings in this hour. */
async function storeAccount(listings: number): Promise<string> {
  const id = randomUUID()
  await db.query('INSERT INTO users (id, email, plan) VALUES ($1, $2, $3)', [id, `${id}@example.org`, 'pro'])
  await db.query(
    `INSERT INTO source_listings (user_id, starts_at, used) VALUES ($1, date_trunc('hour', now(), 'UTC'), $2)`,
    [id, listings],
  )
  return id
}

/** Stores a source that is to be listed, for the accounts. `throughName`: they know it by a name that leads to it. */
async function storeSource(accounts: string[], dueSecondsAgo: number, throughName = false): Promise<string> {
  const [id, name] = [randomUUID(), randomUUID()]
  await db.query(
    `INSERT INTO sources (id, kind, platform_id, used_at, requested_at, due_at)
     VALUES ($1::uuid, 'playlist', $1::text, now(), now(), now() - make_interval(secs => $2))`,
    [id, dueSecondsAgo],
  )
  if (throughName) {
    await db.query(
      `INSERT INTO sources (id, kind, platform_id, used_at, same_as) VALUES ($1::uuid, 'name', $1::text, now(), $2)`,
      [name, id],
    )
  }
  for (const account of accounts) {
    await db.query('INSERT INTO account_sources (id, user_id, source_id, created_at) VALUES ($1, $2, $3, now())', [
      randomUUID(),
      account,
      throughName ? name : id,
    ])
  }
  return id
}

const claim = async () => (await claimSource(db, { token: randomUUID(), leaseSeconds: 60, isName: false }))?.id

test('the listing of an account with few is not behind those of one with many', async () => {
  const [many, few] = [await storeAccount(60), await storeAccount(1)]
  const first = await storeSource([many], 30)
  const second = await storeSource([many], 20)
  const other = await storeSource([few], 10)
  expect([await claim(), await claim(), await claim(), await claim()]).toEqual([other, first, second, undefined])
})

test('a source that several accounts want counts as that of the one with the fewest', async () => {
  const [many, few] = [await storeAccount(60), await storeAccount(1)]
  await storeSource([many], 30)
  const shared = await storeSource([many, few], 10, true)
  expect(await claim()).toBe(shared)
})

test('sources that subscriptions look at come in the order of their time with those of people who ask for one', async () => {
  const few = await storeAccount(1)
  const watched = await storeSource([await storeAccount(0)], 20)
  const asked = await storeSource([few], 30)
  expect([await claim(), await claim()]).toEqual([asked, watched])
})
