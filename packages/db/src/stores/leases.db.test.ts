import { randomUUID } from 'node:crypto'
import { createTestDatabase, type TestDatabase } from '@subtext/db/testing'
import { type Db, openDb } from '../client.ts'
import { acquireLease, releaseLease } from './leases.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = openDb({ url: database.url, maxConnections: 10 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

const [mine, yours] = [randomUUID(), randomUUID()]

test('belongs to one until it is given back', async () => {
  expect(await acquireLease(db, 'a', mine, 60)).toBe(true)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  expect(await acquireLease(db, 'b', yours, 60)).toBe(true)
  await releaseLease(db, 'a', yours)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  await releaseLease(db, 'a', mine)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(true)
})

test('its holder prolongs it; after its end anybody may have it, and the former holder has lost it', async () => {
  await acquireLease(db, 'c', mine, -1)
  expect(await acquireLease(db, 'c', mine, 60)).toBe(true)
  expect(await acquireLease(db, 'c', yours, 60)).toBe(false)
  await acquireLease(db, 'c', mine, -1)
  expect(await acquireLease(db, 'c', yours, 60)).toBe(true)
  expect(await acquireLease(db, 'c', mine, 60)).toBe(false)
})

test.each(['new', 'ended'])('of ten at once one gets a %s one', async (kind) => {
  if (kind === 'ended') await acquireLease(db, kind, mine, -1)
  const got = await Promise.all(Array.from({ length: 10 }, () => acquireLease(db, kind, randomUUID(), 60)))
  expect(got.filter(Boolean)).toHaveLength(1)
})
