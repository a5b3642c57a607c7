import { setTimeout as sleep } from 'node:timers/promises'
import { openDb } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { createApiKey } from './create.ts'
import { createKeyVerifier } from './verify.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let looks = 0
let now = new Date('2026-11-21T12:00:00.000Z')
beforeEach(() => {
  looks = 0
})

const verifier = () =>
  createKeyVerifier({
    db: {
      ...db,
      query: (text, values) => {
        looks++
        return db.query(text, values)
      },
    },
    clock: () => now,
  })
let users = 0
const newKey = () =>
  createApiKey({ db }, { email: `user${users++}@example.org`, plan: 'plus', scopes: ['read', 'write'] })
const change = (key: string, data: { revokedAt?: Date; disabledAt?: Date; expiresAt?: Date }) =>
  db.prisma.apiKey.updateMany({ where: { lastFour: key.slice(-4), prefix: key.slice(0, 9) }, data })

test('a key is its holder, and nothing of it is stored but a hash and what its owner knows it by', async () => {
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
    scopes: ['read', 'write'],
  })
})

test('a second key of an address belongs to the same user, who moves to the new plan', async () => {
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
])('%j is refused without a look into the store', async (key) => {
  await expect(verifier()(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(looks).toBe(0)
})

test.each([
  ['revoked', { revokedAt: new Date() }],
  ['disabled', { disabledAt: new Date() }],
])('a key that was %s is refused within a second, also where it is remembered', async (_, data) => {
  const key = await newKey()
  const verify = verifier()
  await verify(key)
  await change(key, data)
  await sleep(1_000)
  await expect(verify(key)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('a key ends at its time, also where it is remembered', async () => {
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

test('callers together share one look, callers in succession the memory of it', async () => {
  const key = await newKey()
  const verify = verifier()
  await Promise.all(Array.from({ length: 50 }, () => verify(key)))
  expect(looks).toBe(1)
  await verify(key)
  expect(looks).toBe(1)
  await sleep(700)
  await verify(key)
  expect(looks).toBe(2)
})

test('an unknown key is remembered as such, and does not shadow one that is known', async () => {
  const unknown = `sk_${'0'.repeat(64)}`
  const verify = verifier()
  for (let time = 0; time < 20; time++) await expect(verify(unknown)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(looks).toBe(1)
  expect((await verify(await newKey())).plan).toBe('plus')
})

test('a store that is away is not a wrong key', async () => {
  const key = await newKey()
  const broken = openDb({ url: 'postgresql://nobody@127.0.0.1:1/none' })
  const verify = createKeyVerifier({ db: broken, clock: () => now })
  await expect(verify(key)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  await broken.close()
})
