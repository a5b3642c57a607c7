import { randomBytes } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import type { Actor } from '../context.ts'
import { createSecretBox, type SecretKey } from './secret-box.ts'
import {
  describeWebhookSecrets,
  listSigningSecrets,
  rotateOwnWebhookSecret,
  rotateWebhookSecret,
  sealStoredSecrets,
  UnreadableSecretError,
} from './secrets.ts'

const HOUR = 3_600_000
const K1: SecretKey = { id: 'k1', key: randomBytes(32) }
const K2: SecretKey = { id: 'k2', key: randomBytes(32) }

const { db } = useTestDatabase({ maxConnections: 8 })
let now: Date
let logged: [string, string, unknown?][] = []
let users = 0
beforeEach(async () => {
  now = new Date('2026-11-21T12:00:00.000Z')
  logged = []
  await db.query('DELETE FROM webhook_secrets')
})

const log = {
  info: (message: string, fields?: unknown) => void logged.push(['info', message, fields]),
  warn: (message: string, fields?: unknown) => void logged.push(['warn', message, fields]),
  error: (message: string, fields?: unknown) => void logged.push(['error', message, fields]),
}
const context = (...keys: [SecretKey, ...SecretKey[]]) => ({
  db,
  log,
  clock: () => now,
  secretBox: createSecretBox(keys),
})
const after = (ms: number): void => {
  now = new Date(now.getTime() + ms)
}

async function newActor(): Promise<Actor & { email: string }> {
  const id = `0190b0c4-0000-7000-8000-${String(++users).padStart(12, '0')}`
  const email = `user${users}@example.org`
  await db.prisma.user.create({ data: { id, email, plan: 'pro' } })
  return { userId: id, apiKeyId: '', plan: 'pro', scopes: ['read', 'write'], email }
}

/** Returns every value of every table as text, like a dump, and bytes also as the text they may encode. */
async function dump(): Promise<string> {
  const { rows: tables } = await db.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await db.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)
    const { rows: escaped } = await db.query<{ text: string }>(
      `SELECT encode(convert_to(t::text, 'UTF8'), 'escape') AS text FROM ${name} t`,
    )
    texts.push(...[...rows, ...escaped].map((row) => row.text))
  }
  return texts.join('\n')
}

test('stores neither a secret nor its secret part in readable form', async () => {
  const actor = await newActor()
  const ctx = context(K1)
  const made = [
    ...(await listSigningSecrets(ctx, actor.userId)),
    (await rotateOwnWebhookSecret(ctx, actor)).secret,
    (await rotateWebhookSecret(ctx, actor.email)) ?? '',
  ]
  expect(new Set(made).size).toBe(3)
  expect(await listSigningSecrets(ctx, actor.userId)).toEqual(made.reverse())
  const text = await dump()
  expect(text).toContain(actor.email)
  for (const secret of made) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    for (const form of [secret.slice(12), bytes.toString('hex'), Buffer.from(secret).toString('hex')]) {
      expect([form, text.includes(form)]).toEqual([form, false])
    }
    // The prefix that its owner is shown is stored.
    expect(text).toContain(secret.slice(0, 10))
  }
})

test('a secret that was copied to another account cannot be opened there', async () => {
  const [one, other] = [await newActor(), await newActor()]
  const ctx = context(K1)
  await listSigningSecrets(ctx, one.userId)
  await listSigningSecrets(ctx, other.userId)
  await db.query(
    `UPDATE webhook_secrets SET sealed = (SELECT sealed FROM webhook_secrets WHERE user_id = $1) WHERE user_id = $2`,
    [one.userId, other.userId],
  )
  await expect(listSigningSecrets(ctx, other.userId)).rejects.toThrow(UnreadableSecretError)
})

test('concurrent calls that find no secret create one together', async () => {
  const actor = await newActor()
  const ctx = context(K1)
  const found = await Promise.all(
    Array.from({ length: 12 }, (_, nth) =>
      nth % 2 === 0
        ? listSigningSecrets(ctx, actor.userId).then(([secret]) => secret.slice(0, 10))
        : describeWebhookSecrets(ctx, actor).then(([{ prefix }]) => prefix),
    ),
  )
  expect(new Set(found).size).toBe(1)
})

describe('rotation', () => {
  test('keeps every former secret for 24 hours, however many follow it', async () => {
    const actor = await newActor()
    const ctx = context(K1)
    const [first] = await listSigningSecrets(ctx, actor.userId)
    after(HOUR)
    const second = await rotateOwnWebhookSecret(ctx, actor)
    expect(second.formerExpiresAt).toEqual(new Date('2026-11-22T13:00:00.000Z'))
    after(HOUR)
    const third = await rotateOwnWebhookSecret(ctx, actor)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([third.secret, second.secret, first])
    after(23 * HOUR - 1)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([third.secret, second.secret, first])
    after(1)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([third.secret, second.secret])
    after(HOUR)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([third.secret])
    const [shown, ...former] = await describeWebhookSecrets(ctx, actor)
    expect([shown.prefix, shown.expiresAt, former]).toEqual([third.secret.slice(0, 10), null, []])
    after(24 * HOUR)
    await rotateOwnWebhookSecret(ctx, actor)
    const { rows } = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM webhook_secrets')
    expect(rows[0]?.count).toBe(2)
  })

  test('is refused while twenty former secrets are active, so that none of them expires early', async () => {
    const actor = await newActor()
    const ctx = context(K1)
    const made: string[] = [(await listSigningSecrets(ctx, actor.userId))[0]]
    for (let nth = 0; nth < 20; nth++) {
      after(60_000)
      made.unshift((await rotateOwnWebhookSecret(ctx, actor)).secret)
    }
    after(60_000)
    const refusal = { code: 'RATE_LIMITED', retryAfterSeconds: 24 * 3_600 - 20 * 60, details: { limit: 20, used: 20 } }
    await expect(rotateOwnWebhookSecret(ctx, actor)).rejects.toMatchObject(refusal)
    await expect(rotateWebhookSecret(ctx, actor.email)).rejects.toMatchObject(refusal)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual(made)
    after(24 * HOUR - 20 * 60_000)
    const { secret } = await rotateOwnWebhookSecret(ctx, actor)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([secret, ...made.slice(0, 20)])
  })

  test('allows as many concurrent rotations as the limit, and keeps each of their secrets', async () => {
    const actor = await newActor()
    const ctx = context(K1)
    const tried = await Promise.allSettled(Array.from({ length: 30 }, () => rotateOwnWebhookSecret(ctx, actor)))
    const made = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value.secret] : []))
    expect(made).toHaveLength(21)
    expect((await listSigningSecrets(ctx, actor.userId)).sort()).toEqual(made.sort())
  })

  test('returns the same secret for the same reserved ID, even after it has been replaced', async () => {
    const actor = await newActor()
    const ctx = context(K1)
    const reserved = { id: '0190b0c4-0000-7000-9000-000000000001', mayExist: true }
    await listSigningSecrets(ctx, actor.userId)
    after(1)
    const first = await rotateOwnWebhookSecret(ctx, actor, reserved)
    expect(await rotateOwnWebhookSecret(ctx, actor, reserved)).toMatchObject({
      secret: first.secret,
      createdAt: first.createdAt,
      formerExpiresAt: first.formerExpiresAt,
    })
    after(1)
    const second = await rotateOwnWebhookSecret(ctx, actor)
    expect(await rotateOwnWebhookSecret(ctx, actor, reserved)).toMatchObject({
      secret: first.secret,
      formerExpiresAt: first.formerExpiresAt,
    })
    expect((await listSigningSecrets(ctx, actor.userId)).slice(0, 2)).toEqual([second.secret, first.secret])
  })

  test('is refused without the plan, and finds no user for an unknown email address', async () => {
    const actor = await newActor()
    const refusal = {
      code: 'PLAN_UPGRADE_REQUIRED',
      details: {
        feature: 'webhooks',
        current_plan: 'plus',
        required_plan: 'pro',
        violations: [{ feature: 'webhooks', required_plan: 'pro' }],
      },
    }
    const ctx = context(K1)
    await expect(rotateOwnWebhookSecret(ctx, { ...actor, plan: 'plus' })).rejects.toMatchObject(refusal)
    await expect(describeWebhookSecrets(ctx, { ...actor, plan: 'plus' })).rejects.toMatchObject(refusal)
    expect(await rotateWebhookSecret(ctx, 'nobody@example.org')).toBeNull()
    expect(await db.prisma.webhookSecret.count()).toBe(0)
  })
})

describe('encryption keys', () => {
  test('a former key opens secrets until all of them are sealed with the new one', async () => {
    const actor = await newActor()
    const [secret] = await listSigningSecrets(context(K1), actor.userId)
    const both = context(K2, K1)
    expect(await listSigningSecrets(both, actor.userId)).toEqual([secret])
    await expect(listSigningSecrets(context(K2), actor.userId)).rejects.toThrow('"k1"')
    await Promise.all([sealStoredSecrets(both), sealStoredSecrets(both), sealStoredSecrets(both)])
    expect(await listSigningSecrets(context(K2), actor.userId)).toEqual([secret])
    expect(logged.map(([level]) => level)).not.toContain('error')
    logged = []
    await sealStoredSecrets(both)
    expect(logged).toEqual([])
  })

  test('secrets in plain text are used, and sealed once each, by the hundreds', async () => {
    const actor = await newActor()
    const ctx = context(K1)
    const plain = (nth: number) => `whsec_${Buffer.alloc(32, nth).toString('base64')}`
    await db.prisma.webhookSecret.createMany({
      data: Array.from({ length: 450 }, (_, nth) => ({
        id: `0190b0c4-0000-7000-a000-${String(nth).padStart(12, '0')}`,
        userId: actor.userId,
        secret: plain(nth % 250),
        prefix: plain(nth % 250).slice(0, 10),
        createdAt: new Date(now.getTime() - 1),
        expiresAt: nth === 7 ? null : new Date(now.getTime() + HOUR),
      })),
    })
    const before = await listSigningSecrets(ctx, actor.userId)
    expect([before.length, before[0]]).toEqual([450, plain(7)])
    await sealStoredSecrets(ctx)
    expect(logged).toEqual([['info', 'webhook secrets sealed', { count: 450, key: 'k1' }]])
    expect(await db.prisma.webhookSecret.count({ where: { OR: [{ secret: { not: null } }, { sealed: null }] } })).toBe(
      0,
    )
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual(before)
  })

  test('a missing key is named, and rotating the secret is enough to resume', async () => {
    const actor = await newActor()
    await listSigningSecrets(context(K1), actor.userId)
    const ctx = context(K2)
    await sealStoredSecrets(ctx)
    expect(logged).toEqual([
      [
        'error',
        'webhook secrets unreadable',
        { error: expect.objectContaining({ message: expect.stringContaining('"k1"') }) },
      ],
    ])
    await expect(listSigningSecrets(ctx, actor.userId)).rejects.toThrow('WEBHOOK_SECRET_KEY')
    logged = []
    const { secret } = await rotateOwnWebhookSecret(ctx, actor)
    expect(await listSigningSecrets(ctx, actor.userId)).toEqual([secret])
    expect(logged).toEqual([
      ['error', 'former webhook secret unreadable', expect.objectContaining({ user_id: actor.userId })],
    ])
    // With the key back, nothing is lost.
    expect(await listSigningSecrets(context(K2, K1), actor.userId)).toHaveLength(2)
  })
})
