import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { claimIdempotencyKey, type IdempotencyClaim } from './claim-sql.ts'
import { holdClaim } from './held-claim.ts'

const { db } = useTestDatabase()

const lockedUntil = async (): Promise<number> =>
  Number((await db.prisma.idempotencyKey.findFirst())?.lockedUntil ?? Number.NaN)

let claim: IdempotencyClaim

beforeEach(async () => {
  await db.query('DELETE FROM idempotency_keys')
  const request = { userId: randomUUID(), key: 'order-1', requestHash: Buffer.alloc(32, 1), resourceId: randomUUID() }
  const taken = await claimIdempotencyKey(db, request, 3)
  if (!taken) throw new Error('The key is taken.')
  claim = taken
})

test('extends a claim until it is ended, and returns it as it is then', async () => {
  const held = holdClaim({ db }, claim)
  for (let extended = 0; extended < 2; extended++) {
    const before = await lockedUntil()
    await waitUntil('the claim is extended', async () => (await lockedUntil()) > before)
  }
  const ended = await held.end()
  expect(ended.lockedUntil.getTime()).toBeGreaterThan(claim.lockedUntil.getTime())
  expect(await lockedUntil()).toBe(ended.lockedUntil.getTime())
})

test('leaves a claim alone that another process has taken over', async () => {
  const statements: Promise<unknown>[] = []
  const watched: Pick<typeof db, 'query'> = {
    query: (text, values) => {
      const running = db.query(text, values)
      statements.push(running)
      return running as never
    },
  }
  await db.query("UPDATE idempotency_keys SET locked_until = locked_until + interval '1 hour'")
  const taken = await lockedUntil()
  const held = holdClaim({ db: { ...db, ...watched } }, claim)
  await waitUntil('it has tried', () => statements.length > 0)
  expect(await held.end()).toEqual(claim)
  expect(await lockedUntil()).toBe(taken)
})

test('extends a claim after the database was unavailable', async () => {
  let failures = 0
  const query = ((text: string, values?: unknown[]) =>
    failures++ === 0 ? Promise.reject(new Error('terminating connection')) : db.query(text, values)) as typeof db.query
  const held = holdClaim({ db: { ...db, query } }, claim)
  await waitUntil('the claim is extended', async () => (await lockedUntil()) > claim.lockedUntil.getTime())
  expect(await lockedUntil()).toBe((await held.end()).lockedUntil.getTime())
})
