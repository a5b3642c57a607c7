import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { acquireLease, releaseLease } from './leases.ts'

const { db } = useTestDatabase()

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
