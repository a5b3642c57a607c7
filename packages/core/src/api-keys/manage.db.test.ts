import type { PrismaDb } from '@subtext/db/prisma'
import { useTestDatabase } from '@subtext/db/testing'
import { setPlan } from '../testing/set-plan.ts'
import { createApiKey } from './create.ts'
import { changeKey, findKeys, type ListedKey, parseKeySelector } from './manage.ts'

const { db } = useTestDatabase({ maxConnections: 4 })
let ctx: { db: PrismaDb; clock: () => Date }
const now = new Date('2026-11-21T12:00:00.000Z')

beforeAll(async () => {
  ctx = { db, clock: () => now }
})

let users = 0
const newKey = (overrides: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  createApiKey({ db }, { email: `user${users++}@example.org`, plan: 'plus', scopes: ['read', 'write'], ...overrides })

async function pick(selector: string): Promise<ListedKey> {
  const [key, ...others] = await findKeys(ctx, parseKeySelector(selector) ?? {})
  if (!key || others.length > 0) throw new Error('Not exactly one key.')
  return key
}

test('lists keys with everything but the key itself', async () => {
  const email = 'lister@example.org'
  const keys = [await newKey({ email }), await newKey({ email, plan: 'pro', scopes: ['admin'], expiresAt: now })]
  const listed = await findKeys(ctx, { email })
  expect(listed).toEqual(
    keys.map((key, index) => ({
      id: expect.any(String),
      userId: listed[0]?.userId,
      email,
      plan: 'pro',
      name: null,
      prefix: key.slice(0, 9),
      lastFour: key.slice(-4),
      label: `${key.slice(0, 9)}…${key.slice(-4)}`,
      scopes: index ? ['admin'] : ['read', 'write'],
      state: index ? 'expired' : 'active',
      createdAt: expect.any(Date),
      expiresAt: index ? now : null,
      disabledAt: null,
      revokedAt: null,
      lastUsedAt: null,
    })),
  )
  expect(JSON.stringify(listed)).not.toContain(keys[0]?.slice(9, -4))
  expect((await findKeys(ctx, {})).length).toBeGreaterThanOrEqual(2)
  expect(await findKeys(ctx, { email: 'nobody@example.org' })).toEqual([])
})

test('finds a key by its ID, by the whole key, and by its label', async () => {
  const key = await newKey()
  const { id } = await pick(key)
  const [start, end] = [key.slice(0, 9), key.slice(-4)]
  for (const selector of [
    id,
    id.toUpperCase(),
    start,
    `${start}…`,
    `${start}...`,
    `${start}…${end}`,
    `${start}...${end}`,
  ]) {
    expect([selector, (await pick(selector)).id]).toEqual([selector, id])
  }
  expect(await findKeys(ctx, { prefix: start, lastFour: end === '0000' ? '0001' : '0000' })).toEqual([])
})

test.each(['', 'sk_', 'sk_12345', 'sk_1234567', 'sk_12345G', 'x', '%', '00000000-0000-0000-0000', "' OR 1=1"])(
  'refuses %j as the name of a key',
  (text) => {
    expect(parseKeySelector(text)).toBeNull()
  },
)

test('a disabled key can be enabled again, but a revoked one cannot', async () => {
  const key = await newKey()
  const change = async (kind: 'revoke' | 'disable' | 'enable') => [
    await changeKey(ctx, await pick(key), kind),
    (await pick(key)).state,
  ]
  expect(await change('enable')).toEqual([false, 'active'])
  expect(await change('disable')).toEqual([true, 'disabled'])
  expect(await change('disable')).toEqual([false, 'disabled'])
  expect(await change('enable')).toEqual([true, 'active'])
  expect(await change('disable')).toEqual([true, 'disabled'])
  expect(await change('revoke')).toEqual([true, 'revoked'])
  for (const kind of ['enable', 'disable', 'revoke'] as const) expect(await change(kind)).toEqual([false, 'revoked'])
})

test('changes a key only for its owner', async () => {
  const [key, other] = [await pick(await newKey()), await pick(await newKey())]
  expect(await changeKey(ctx, { id: key.id, userId: other.userId }, 'revoke')).toBe(false)
  expect((await findKeys(ctx, { id: key.id }))[0]?.revokedAt).toBeNull()
})

test('setPlan moves an existing user, and reports an unknown email address', async () => {
  const email = 'planned@example.org'
  await newKey({ email, plan: 'free' })
  expect(await setPlan(ctx, email, 'pro')).toBe(true)
  expect((await findKeys(ctx, { email }))[0]?.plan).toBe('pro')
  expect(await setPlan(ctx, 'nobody@example.org', 'pro')).toBe(false)
})
