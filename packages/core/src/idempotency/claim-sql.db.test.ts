import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { useTestDatabase } from '@subtext/db/testing'
import { storeJob } from '../testing/index.ts'
import {
  claimIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  deleteIdempotencyKey,
  extendIdempotencyClaim,
  findIdempotencyRecord,
  type IdempotencyClaim,
  type IdempotentRequest,
  storeIdempotentReply,
  unlockIdempotencyKey,
} from './claim-sql.ts'

const { db } = useTestDatabase()

const LOCK_SECONDS = 60
const newRequest = (overrides: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  userId: randomUUID(),
  key: 'order-1',
  requestHash: Buffer.alloc(32, 1),
  resourceId: randomUUID(),
  ...overrides,
})
const claim = (request: IdempotentRequest) => claimIdempotencyKey(db, request, LOCK_SECONDS)
const record = (request: IdempotentRequest) => findIdempotencyRecord(db, request)

async function claimed(request: IdempotentRequest): Promise<IdempotencyClaim> {
  const taken = await claim(request)
  if (!taken) throw new Error('The key is taken.')
  return taken
}

/** Makes a key look older by `interval`. */
async function age({ userId, key }: IdempotentRequest, interval: string): Promise<void> {
  await db.query(
    `UPDATE idempotency_keys SET created_at = created_at - $3::interval, locked_until = locked_until - $3::interval
     WHERE user_id = $1 AND key = $2`,
    [userId, key, interval],
  )
  // Claims are distinguished by their time. Only in a test do two claims of a key fall into the same millisecond.
  await sleep(5)
}

test('lets one of many concurrent claims win', async () => {
  const request = newRequest()
  const claims = await Promise.all(Array.from({ length: 20 }, () => claim({ ...request, resourceId: randomUUID() })))
  const [won] = claims.filter((each) => each !== null)
  expect(claims.filter((each) => each !== null)).toHaveLength(1)
  expect(won).toMatchObject({ takenOver: false })
  expect(await record(request)).toMatchObject({ sameRequest: true, resourceId: won?.resourceId, reply: null })
  expect((await record(request))?.secondsLeft).toBeGreaterThan(LOCK_SECONDS - 30)
})

test('keeps the keys of accounts apart', async () => {
  const request = newRequest()
  expect(await claim(request)).not.toBeNull()
  expect(await claim({ ...request, userId: randomUUID() })).not.toBeNull()
  expect(await claim({ ...request, key: 'order-2' })).not.toBeNull()
})

test('stores a reply exactly, and accepts no claim afterwards', async () => {
  const request = newRequest()
  const reply = '{"z":1,"a":"\\u0001 \u{1F600} \'"}'
  expect(await storeIdempotentReply(db, await claimed(request), reply)).toBe(true)
  await age(request, '1 hour')
  expect(await claim(request)).toBeNull()
  expect(await record(request)).toMatchObject({ sameRequest: true, reply })
  const other = newRequest({ ...request, requestHash: Buffer.alloc(32, 2) })
  expect(await claim(other)).toBeNull()
  expect(await record(other)).toMatchObject({ sameRequest: false })
})

test('lets only the same request take over an expired claim, with the same resource', async () => {
  const request = newRequest()
  const first = await claimed(request)
  await age(request, '59 seconds')
  expect(await claim({ ...request, resourceId: randomUUID() })).toBeNull()
  await age(request, '1 second')
  expect(await claim(newRequest({ ...request, requestHash: Buffer.alloc(32, 2) }))).toBeNull()
  const second = await claimed({ ...request, resourceId: randomUUID() })
  expect(second).toMatchObject({ resourceId: first.resourceId, takenOver: true })

  expect(await storeIdempotentReply(db, first, '"first"')).toBe(false)
  await unlockIdempotencyKey(db, first)
  expect(await deleteIdempotencyKey(db, first)).toBe(false)
  expect(await record(request)).toMatchObject({ reply: null })
  expect(await storeIdempotentReply(db, second, '"second"')).toBe(true)
  expect(await record(request)).toMatchObject({ reply: '"second"' })
})

test('extends a claim that has not been taken over, also if it has expired', async () => {
  const request = newRequest()
  const first = await claimed(request)
  await age(request, '2 minutes')
  const expired = { ...first, lockedUntil: new Date(first.lockedUntil.getTime() - 120_000) }
  expect(await extendIdempotencyClaim(db, first, LOCK_SECONDS)).toBeNull()
  const lockedUntil = await extendIdempotencyClaim(db, expired, LOCK_SECONDS)
  expect(lockedUntil?.getTime()).toBeGreaterThan(first.lockedUntil.getTime() - 1)
  if (!lockedUntil) throw new Error('The claim has been taken over.')
  expect(await claim({ ...request, resourceId: randomUUID() })).toBeNull()
  const extended = { ...first, lockedUntil }
  // A shorter lease does not end it earlier.
  expect(await extendIdempotencyClaim(db, extended, 1)).toEqual(lockedUntil)

  await age(request, '2 minutes')
  const second = await claimed({ ...request, resourceId: randomUUID() })
  expect(await extendIdempotencyClaim(db, extended, LOCK_SECONDS)).toBeNull()
  expect(await storeIdempotentReply(db, second, '"second"')).toBe(true)
  expect(await extendIdempotencyClaim(db, second, LOCK_SECONDS)).toBeNull()
})

test('lets an unlocked key be taken over at once', async () => {
  const request = newRequest()
  await unlockIdempotencyKey(db, await claimed(request))
  expect(await claim({ ...request, resourceId: randomUUID() })).toMatchObject({
    takenOver: true,
    resourceId: request.resourceId,
  })
})

test('frees a deleted key for another request, unless its request created something', async () => {
  const request = newRequest()
  expect(await deleteIdempotencyKey(db, await claimed(request))).toBe(true)
  const other = newRequest({ ...request, requestHash: Buffer.alloc(32, 2), resourceId: randomUUID() })
  const again = await claimed(other)
  expect(again).toMatchObject({ takenOver: false, resourceId: other.resourceId })
  await storeJob(db, { id: again.resourceId, userId: request.userId })
  expect(await deleteIdempotencyKey(db, again)).toBe(false)
  expect(await record(other)).toMatchObject({ resourceId: again.resourceId })
})

test('frees a key after 24 hours, with or without a reply', async () => {
  for (const isAnswered of [true, false]) {
    const request = newRequest()
    const first = await claimed(request)
    if (isAnswered) await storeIdempotentReply(db, first, '"old"')
    await age(request, '23 hours 59 minutes')
    const other = newRequest({ ...request, requestHash: Buffer.alloc(32, 2), resourceId: randomUUID() })
    expect(await claim(other)).toBeNull()
    await age(request, '1 minute')
    expect(await record(request)).toBeNull()
    expect(await claimed(other)).toMatchObject({ takenOver: false, resourceId: other.resourceId })
    expect(await record(other)).toMatchObject({ sameRequest: true, reply: null })
  }
})

test('deletes only expired keys, in portions, by any number of concurrent processes', async () => {
  await db.query('DELETE FROM idempotency_keys')
  const requests = Array.from({ length: 30 }, () => newRequest())
  for (const request of requests) await claimed(request)
  for (const request of requests.slice(0, 25)) await age(request, '24 hours')
  expect(await deleteExpiredIdempotencyKeys(db, 10)).toBe(10)
  const deleted = await Promise.all(Array.from({ length: 4 }, () => deleteExpiredIdempotencyKeys(db, 10)))
  expect(deleted.reduce((sum, each) => sum + each, 0)).toBe(15)
  expect(await db.prisma.idempotencyKey.count()).toBe(5)
})
