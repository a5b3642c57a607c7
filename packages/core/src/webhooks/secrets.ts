import { randomBytes } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Actor, Context, PrismaContext } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'
import type { SecretBox } from './secret-box.ts'
import {
  findSealedSecret,
  findWebhookSecret,
  listSecretsToReseal,
  listWebhookSecrets,
  lockWebhookSecrets,
  replaceWebhookSecret,
  resealWebhookSecret,
  type StoredWebhookSecret,
} from './secrets-sql.ts'

const SECRET_BYTES = 32
const OVERLAP_MS = 24 * 3_600_000
/** `whsec_` and 24 of the 256 bits. */
const PREFIX_LENGTH = 10
/** Each former secret adds to the length of every delivery's `webhook-signature`, and to the time to compute it. */
const MAX_FORMER_SECRETS = 20
const ROWS_PER_STATEMENT = 200
const MIN_ID = '00000000-0000-0000-0000-000000000000'

export interface SecretContext extends Pick<Context, 'db' | 'clock'> {
  secretBox: SecretBox
}

/** Thrown when a secret was sealed with a key that this process does not have. */
export class UnreadableSecretError extends Error {
  constructor(keyId: string | null) {
    super(
      `A webhook secret was sealed with the key "${keyId}", which is missing in WEBHOOK_SECRET_KEY. Add it or rotate the secret.`,
    )
    this.name = 'UnreadableSecretError'
  }
}

/** The parts of a secret that may be shown. */
export interface SecretDescription {
  prefix: string
  createdAt: Date
  /** When it stops signing; null for the current one. */
  expiresAt: Date | null
}

/** Returns the account's active secrets, the current one first. Creates one if there is none. */
export async function describeWebhookSecrets(
  ctx: SecretContext,
  actor: Actor,
): Promise<[SecretDescription, ...SecretDescription[]]> {
  assertWebhooksIncluded(actor)
  return findOrCreateSecrets(ctx, actor.userId)
}

export interface RotatedSecret extends SecretDescription {
  secret: string
  /** When the previous secret stops signing; null if there was none. */
  formerExpiresAt: Date | null
}

/**
 * Replaces the actor's secret. With `reserved`, any number of calls create and return the same one. Errors:
 * `PLAN_UPGRADE_REQUIRED`, and `RATE_LIMITED` while the maximum number of former secrets is active.
 */
export async function rotateOwnWebhookSecret(
  ctx: SecretContext,
  actor: Actor,
  reserved?: ReservedResource,
): Promise<RotatedSecret> {
  assertWebhooksIncluded(actor)
  return rotate(ctx, actor.userId, reserved)
}

/**
 * Replaces the secret of a user, for operators. Returns null if no user has this email address. Errors: `RATE_LIMITED`, and
 * `UnreadableSecretError` if the key of `ctx` does not open what is stored, unless its key `isLost`: the service could not read
 * a secret that was sealed with another key than its own.
 */
export async function rotateWebhookSecret(
  ctx: SecretContext & Pick<PrismaContext, 'db'>,
  email: string,
  { isLost = false }: { isLost?: boolean } = {},
): Promise<string | null> {
  const user = await ctx.db.prisma.user.findUnique({ where: { email }, select: { id: true } })
  if (!user) return null
  const sealed = isLost ? null : await findSealedSecret(ctx.db, user.id)
  if (sealed) open(ctx, sealed)
  return (await rotate(ctx, user.id)).secret
}

const rotate = (ctx: SecretContext, userId: string, reserved?: ReservedResource): Promise<RotatedSecret> =>
  ctx.db.transaction(async (sql) => {
    await lockWebhookSecrets(sql, userId)
    const earlier = reserved?.mayExist ? await findWebhookSecret(sql, userId, reserved.id) : null
    const signing = await listWebhookSecrets(sql, [userId], ctx.clock())
    if (earlier) return { ...earlier, secret: open(ctx, earlier), formerExpiresAt: endOfPrevious(earlier, signing) }
    assertMayRotate(signing, ctx.clock())
    return storeNewSecret(ctx, sql, { id: reserved?.id ?? newId(), userId, replaces: signing.length > 0 })
  })

/** Returns when the secret that `secret` replaced stops signing. */
const endOfPrevious = (secret: StoredWebhookSecret, signing: StoredWebhookSecret[]): Date | null =>
  signing.find(({ createdAt, id }) => createdAt <= secret.createdAt && id !== secret.id)?.expiresAt ?? null

function assertMayRotate([, ...former]: StoredWebhookSecret[], now: Date): void {
  // The rotation turns the current secret into another former one.
  const earliest = former.at(-1)?.expiresAt
  if (former.length < MAX_FORMER_SECRETS || !earliest) return
  throw new ServiceError('RATE_LIMITED', {
    message: `${MAX_FORMER_SECRETS} former webhook secrets are still active. Rotate again after one of them has expired.`,
    details: { limit: MAX_FORMER_SECRETS, used: former.length, reset_at: earliest.toISOString() },
    retryAfterSeconds: Math.max(1, Math.ceil((earliest.getTime() - now.getTime()) / 1_000)),
  })
}

async function storeNewSecret(
  { secretBox, clock }: SecretContext,
  sql: Sql,
  { id, userId, replaces }: { id: string; userId: string; replaces: boolean },
): Promise<RotatedSecret> {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const createdAt = clock()
  const formerExpiresAt = new Date(createdAt.getTime() + OVERLAP_MS)
  const prefix = secret.slice(0, PREFIX_LENGTH)
  const sealed = secretBox.seal(secret, placeOf({ id, userId }))
  await replaceWebhookSecret(sql, { id, userId, prefix, sealed, keyId: secretBox.keyId, createdAt, formerExpiresAt })
  return { secret, prefix, createdAt, expiresAt: null, formerExpiresAt: replaces ? formerExpiresAt : null }
}

/** Binds a sealed secret to its row, so that it cannot be opened if it is copied to another account. */
const placeOf = ({ id, userId }: { id: string; userId: string }): string => `webhook_secrets ${userId} ${id}`

function open({ secretBox }: Pick<SecretContext, 'secretBox'>, stored: StoredWebhookSecret): string {
  const text =
    stored.sealed && stored.keyId !== null ? secretBox.open(stored.sealed, stored.keyId, placeOf(stored)) : stored.plain
  if (text === null) throw new UnreadableSecretError(stored.keyId)
  return text
}

/** Returns the active secrets, the current one first. Creates one if there is none. */
async function findOrCreateSecrets(
  ctx: SecretContext,
  userId: string,
): Promise<[StoredWebhookSecret, ...StoredWebhookSecret[]]> {
  const [current, ...former] = await listWebhookSecrets(ctx.db, [userId], ctx.clock())
  if (current) return [current, ...former]
  return ctx.db.transaction(async (sql) => {
    // Concurrent calls may find none either. Only one of them creates the secret, and it must not replace one that the
    // owner has created meanwhile.
    await lockWebhookSecrets(sql, userId)
    const found = await listWebhookSecrets(sql, [userId], ctx.clock())
    if (found.length === 0) await storeNewSecret(ctx, sql, { id: newId(), userId, replaces: false })
    const [created, ...others] = found.length > 0 ? found : await listWebhookSecrets(sql, [userId], ctx.clock())
    if (!created) throw new Error('The account no longer exists.')
    return [created, ...others]
  })
}

/**
 * Resolves with the secrets that sign an account's deliveries, the current one first. Rejects with `UnreadableSecretError` if
 * the current one cannot be opened. A former one that cannot be opened is left out, so that rotating the secret is enough to
 * resume deliveries.
 */
export type FindSigningSecrets = (userId: string) => Promise<[string, ...string[]]>

/**
 * Returns a function that reads the secrets of these accounts in one statement, and opens those of each account once. Creates
 * one for an account that has none. Do not keep the function: a secret that is rotated must sign at once.
 */
export function readSigningSecrets(ctx: SecretContext & Pick<Context, 'log'>, userIds: string[]): FindSigningSecrets {
  let reading: Promise<StoredWebhookSecret[]> | undefined
  const opened = new Map<string, Promise<[string, ...string[]]>>()
  const findAndOpen = async (userId: string): Promise<[string, ...string[]]> => {
    reading ??= listWebhookSecrets(ctx.db, [...new Set(userIds)], ctx.clock())
    const [current, ...former] = (await reading).filter((stored) => stored.userId === userId)
    return openAll(ctx, userId, current ? [current, ...former] : await findOrCreateSecrets(ctx, userId))
  }
  return (userId) => {
    const found = opened.get(userId) ?? findAndOpen(userId)
    opened.set(userId, found)
    return found
  }
}

/** Like `readSigningSecrets`, for one account. */
export const listSigningSecrets = (
  ctx: SecretContext & Pick<Context, 'log'>,
  userId: string,
): Promise<[string, ...string[]]> => readSigningSecrets(ctx, [userId])(userId)

function openAll(
  ctx: SecretContext & Pick<Context, 'log'>,
  userId: string,
  [current, ...former]: [StoredWebhookSecret, ...StoredWebhookSecret[]],
): [string, ...string[]] {
  const readable = former.flatMap((stored) => {
    try {
      return [open(ctx, stored)]
    } catch (error) {
      ctx.log.error('former webhook secret unreadable', { user_id: userId, error: (error as Error).message })
      return []
    }
  })
  return [open(ctx, current), ...readable]
}

/**
 * Seals with the current key all secrets that are stored in plain text or sealed with a former key, so that the former key
 * can be removed. Logs how many it sealed, if any. Safe to run in any number of processes at once.
 */
export async function sealStoredSecrets(ctx: SecretContext & Pick<Context, 'log'>): Promise<void> {
  const { keyId } = ctx.secretBox
  const unreadable = new Set<string | null>()
  let sealed = 0
  for (let afterId = MIN_ID; ; ) {
    const rows = await listSecretsToReseal(ctx.db, keyId, { afterId, limit: ROWS_PER_STATEMENT })
    for (const stored of rows) {
      const outcome = await reseal(ctx, stored)
      if (outcome === 'unreadable') unreadable.add(stored.keyId)
      else if (outcome === 'sealed') sealed++
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_STATEMENT) break
    afterId = last.id
  }
  if (sealed > 0) ctx.log.info('webhook secrets sealed', { count: sealed, key: keyId })
  for (const key of unreadable) ctx.log.error('webhook secrets unreadable', { error: new UnreadableSecretError(key) })
}

async function reseal(ctx: SecretContext, stored: StoredWebhookSecret): Promise<'sealed' | 'unreadable' | 'done'> {
  try {
    const secret = open(ctx, stored)
    const sealed = ctx.secretBox.seal(secret, placeOf(stored))
    return (await resealWebhookSecret(ctx.db, stored, { sealed, keyId: ctx.secretBox.keyId })) ? 'sealed' : 'done'
  } catch (error) {
    if (error instanceof UnreadableSecretError) return 'unreadable'
    throw error
  }
}
