import { randomUUID } from 'node:crypto'
import { openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { createApiKey } from './create.ts'
import { createKeyVerifier, findInvalidKeys } from './verify.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
/** The clock of the cache, in milliseconds. */
let age = 1
let queries = 0
let now = new Date('2026-11-21T12:00:00.000Z')
beforeEach(() => {
  queries = 0
})

const verifier = () =>
  createKeyVerifier(
    {
      db: {
        ...db,
        query: (text, values) => {
          queries++
          return db.query(text, values)
        },
      },
      clock: () => now,
    },
    () => age,
  )
let users = 0
const newKey = () =>
  createApiKey({ db }, { email: `user${users++}@example.org`, plan: 'plus', scopes: ['read', 'write'] })
const change = (key: string, data: { revokedAt?: Date; disabledAt?: Date; expiresAt?: Date }) =>
  db.prisma.apiKey.updateMany({ where: { lastFour: key.slice(-4), prefix: key.slice(0, 9) }, data })

test('returns the holder of a key, of which only a hash and the first and last characters are stored', async () => {
  const key = await newKey()
  expect(key).toMatch(/^sk_[0-9a-f]{64}$/)
  const stored = await db.prisma.apiKey.findFirstOrThrow({
    where: { prefix: key.slice(0, 9), lastFour: key.slice(-4) },
  })
  expect(JSON.stringify(stored)).not.toContain(key.slice(9, -4))
  expect(await verifier()(key)).toEqual({
    userId: stored.userId,
    apiKeyId: stored.id,
    plan: 'plus',
    ownQuota: { daily: null, monthly: null },
    scopes: ['read', 'write'],
  })
})

test('a second key for an email address belongs to the same user, who moves to the new plan', async () => {
  const email = 'same@example.org'
  const first = await createApiKey({ db }, { email, plan: 'free', scopes: ['read'] })
  const second = await createApiKey({ db }, { email, plan: 'pro', scopes: ['admin'] })
  const verify = verifier()
  const [one, other] = [await verify(first), await verify(second)]
  expect(one.userId).toBe(other.userId)
  expect([one.plan, one.scopes, other.scopes]).toEqual(['pro', ['read'], ['admin']])
})

test.each([
  '',
  'sk_',
  `sk_${'g'.repeat(64)}`,
  `sk_${'A'.repeat(64)}`,
  `sk_${'0'.repeat(63)}`,
  `sk_${'0'.repeat(65)}`,
  ` sk_${'0'.repeat(64)}`,
  `sk_${'0'.repeat(64)}\n`,
  `SK_${'0'.repeat(64)}`,
])('refuses the malformed key %j without a database query', async (key) => {
  await expect(verifier()(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(queries).toBe(0)
})

test.each([
  ['revoked', { revokedAt: new Date() }],
  ['disabled', { disabledAt: new Date() }],
])('refuses a key that was %s within a second, even if it is cached', async (_, data) => {
  const key = await newKey()
  const verify = verifier()
  await verify(key)
  await change(key, data)
  age += 1_000
  await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test.each([
  ['revoked', { revokedAt: new Date() }],
  ['disabled', { disabledAt: new Date() }],
  ['expired', { expiresAt: now }],
])('finds the key that is %s, and no others', async (_, data) => {
  const keys = [await newKey(), await newKey(), await newKey()]
  const verify = verifier()
  const [id, ...others] = await Promise.all(keys.map(async (key) => (await verify(key)).apiKeyId ?? ''))
  const ctx = { db, clock: () => now }
  await change(keys[1] ?? '', { expiresAt: new Date(now.getTime() + 1) })
  expect(await findInvalidKeys(ctx, [id ?? '', ...others])).toEqual([])
  await change(keys[0] ?? '', data)
  expect(await findInvalidKeys(ctx, [id ?? '', ...others])).toEqual([id])
})

test('finds keys of a plan without keys, unless an operator has created them or they administrate', async () => {
  const keys = [await newKey(), await newKey(), await newKey()]
  const verify = verifier()
  const holders = await Promise.all(keys.map((key) => verify(key)))
  const ids = holders.map(({ apiKeyId }) => apiKeyId ?? '')
  const [byPerson = '', , admin = ''] = ids
  await db.prisma.apiKey.updateMany({
    where: { id: { in: [byPerson, admin] } },
    data: { name: 'Mine', byOperator: false },
  })
  await db.prisma.apiKey.update({ where: { id: admin }, data: { scopes: ['admin'] } })
  const ctx = { db, clock: () => now }
  expect(await findInvalidKeys(ctx, ids)).toEqual([])
  await db.prisma.user.updateMany({
    where: { id: { in: holders.map(({ userId }) => userId) } },
    data: { plan: 'free' },
  })
  expect(await findInvalidKeys(ctx, ids)).toEqual([byPerson])
})

test('finds keys that were deleted, however many it is asked for', async () => {
  const { apiKeyId } = await verifier()(await newKey())
  const unknown = Array.from({ length: 1_000 }, () => randomUUID())
  const found = await findInvalidKeys({ db, clock: () => now }, [...unknown, apiKeyId ?? ''])
  expect(found).toEqual(unknown)
})

test('returns the holder of each of several keys that are verified at the same time', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, newKey))
  const verify = verifier()
  const alone = await Promise.all(keys.map((key) => verifier()(key)))
  const unknown = `sk_${'0'.repeat(64)}`
  const together = await Promise.allSettled([...keys, unknown, ...keys].map((key) => verify(key)))
  expect(together.map((each) => (each.status === 'fulfilled' ? each.value : null))).toEqual([...alone, null, ...alone])
  expect(new Set(alone.map(({ apiKeyId }) => apiKeyId)).size).toBe(5)
})

test('refuses an expired key, even if it is cached', async () => {
  const key = await newKey()
  const expiresAt = new Date(now.getTime() + 100)
  await change(key, { expiresAt })
  const verify = verifier()
  await verify(key)
  now = new Date(expiresAt.getTime() - 1)
  await verify(key)
  now = expiresAt
  await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('concurrent callers share one query, and later callers its cached result', async () => {
  const key = await newKey()
  const verify = verifier()
  await Promise.all(Array.from({ length: 50 }, () => verify(key)))
  expect(queries).toBe(1)
  await verify(key)
  expect(queries).toBe(1)
  age += 499
  await verify(key)
  expect(queries).toBe(1)
  age += 2
  await verify(key)
  expect(queries).toBe(2)
})

test('caches that a key is unknown, without affecting other keys', async () => {
  const unknown = `sk_${'0'.repeat(64)}`
  const verify = verifier()
  for (let time = 0; time < 20; time++) await expect(verify(unknown)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(queries).toBe(1)
  expect((await verify(await newKey())).plan).toBe('plus')
})

test('reports an unavailable database as such, not as a wrong key', async () => {
  const key = await newKey()
  const broken = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const verify = createKeyVerifier({ db: broken, clock: () => now })
  await expect(verify(key)).rejects.toThrow('ECONNREFUSED')
  await broken.close()
})
