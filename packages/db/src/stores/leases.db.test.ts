import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { acquireLease, releaseLease } from './leases.ts'

const { db } = useTestDatabase()

const [mine, yours] = [randomUUID(), randomUUID()]

test('gives a lease to one holder until it is released', async () => {
  expect(await acquireLease(db, 'a', mine, 60)).toBe(true)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  expect(await acquireLease(db, 'b', yours, 60)).toBe(true)
  await releaseLease(db, 'a', yours)
  expect(await acquireLease(db, 'a', yours, 60)).toBe(false)
  await releaseLease(db, 'a', mine)
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

test.each(['new', 'expired'])('gives a %s lease to one of ten concurrent callers', async (kind) => {
  if (kind === 'expired') await acquireLease(db, kind, mine, -1)
  const got = await Promise.all(Array.from({ length: 10 }, () => acquireLease(db, kind, randomUUID(), 60)))
  expect(got.filter(Boolean)).toHaveLength(1)
})
