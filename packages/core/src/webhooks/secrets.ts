import { randomBytes } from 'node:crypto'
import { ServiceError } from '@subtext/contracts'
import {
  findUserByEmail,
  findWebhookSecret,
  listSealedOtherwise,
  listWebhookSecrets,
  lockWebhookSecrets,
  replaceWebhookSecret,
  resealWebhookSecret,
  type Sql,
  type StoredWebhookSecret,
} from '@subtext/db'
import { v7 as newId } from 'uuid'
import type { Actor, Context } from '../context.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertWebhooksIncluded } from '../plans/gates.ts'
import type { SecretBox } from './secret-box.ts'

const SECRET_BYTES = 32
const OVERLAP_MS = 24 * 3_600_000
/** `whsec_` and 24 of the 256 bits. */
const PREFIX_LENGTH = 10
/** Each takes its place, and its time, in every delivery's `webhook-signature`. */
const MAX_FORMER = 20
const ROWS_A_STATEMENT = 200
const LEAST_ID = '00000000-0000-0000-0000-000000000000'

export interface SecretContext extends Pick<Context, 'db' | 'clock'> {
  secretBox: SecretBox
}

/** A secret cannot be opened: it was sealed with a key that this process was not given. */
export class UnreadableSecretError extends Error {
  constructor(keyId: string | null) {
    super(`A webhook secret was sealed with the key "${keyId}", which WEBHOOK_SECRET_KEY does not hold.`)
    this.name = 'UnreadableSecretError'
  }
}

/** What may be shown of a secret. */
export interface SecretDescription {
  prefix: string
  createdAt: Date
  /** It signs until then; null for the current one. */
  expiresAt: Date | null
}

/** The account's secrets that sign now, the current one first; makes the first one when there is none. */
export async function describeWebhookSecrets(
  ctx: SecretContext,
  actor: Actor,
): Promise<[SecretDescription, ...SecretDescription[]]> {
  assertWebhooksIncluded(actor)
  return storedSecrets(ctx, actor.userId)
}

export interface RotatedSecret extends SecretDescription {
  secret: string
  /** Until then the secret before it signs as well; null where there was none. */
  formerExpiresAt: Date | null
}

/**
 * Replaces the actor's secret; with `reserved`, any number of calls make and show one. Errors: `PLAN_UPGRADE_REQUIRED`,
 * `RATE_LIMITED` while as many former secrets sign as may.
 */
export async function rotateOwnWebhookSecret(
  ctx: SecretContext,
  actor: Actor,
  reserved?: ReservedResource,
): Promise<RotatedSecret> {
  assertWebhooksIncluded(actor)
  return rotate(ctx, actor.userId, reserved)
}

/** As its owner would, for operators; null when no user has this address. Error: `RATE_LIMITED`, as above. */
export async function rotateWebhookSecret(ctx: SecretContext, email: string): Promise<string | null> {
  const user = await findUserByEmail(ctx.db, email)
  return user && (await rotate(ctx, user.id)).secret
}

const rotate = (ctx: SecretContext, userId: string, reserved?: ReservedResource): Promise<RotatedSecret> =>
  ctx.db.transaction(async (sql) => {
    await lockWebhookSecrets(sql, userId)
    const made = reserved?.mayExist ? await findWebhookSecret(sql, userId, reserved.id) : null
    const signing = await listWebhookSecrets(sql, userId, ctx.clock())
    if (made) return { ...made, secret: open(ctx, made), formerExpiresAt: endOfFormer(made, signing) }
    assertMayRotate(signing, ctx.clock())
    return storeNewSecret(ctx, sql, { id: reserved?.id ?? newId(), userId, replaces: signing.length > 0 })
  })

/** When the secret that `made` took the place of ends, or ended. */
const endOfFormer = (made: StoredWebhookSecret, signing: StoredWebhookSecret[]): Date | null =>
  signing.find(({ createdAt, id }) => createdAt <= made.createdAt && id !== made.id)?.expiresAt ?? null

function assertMayRotate([, ...former]: StoredWebhookSecret[], now: Date): void {
  // With this rotation the current one becomes another former one.
  const earliest = former.at(-1)?.expiresAt
  if (former.length < MAX_FORMER || !earliest) return
  throw new ServiceError('RATE_LIMITED', {
    message: `${MAX_FORMER} former webhook secrets sign beside the current one; rotate again when one of them has ended.`,
    details: { limit: MAX_FORMER, used: former.length, reset_at: earliest.toISOString() },
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

/** Binds what is sealed to its row: copied to another account it cannot be opened. */
const placeOf = ({ id, userId }: { id: string; userId: string }): string => `webhook_secrets ${userId} ${id}`

function open({ secretBox }: Pick<SecretContext, 'secretBox'>, stored: StoredWebhookSecret): string {
  const text =
    stored.sealed && stored.keyId !== null ? secretBox.open(stored.sealed, stored.keyId, placeOf(stored)) : stored.plain
  if (text === null) throw new UnreadableSecretError(stored.keyId)
  return text
}

/** Those that sign now, the current one first; makes the first one when there is none. */
async function storedSecrets(
  ctx: SecretContext,
  userId: string,
): Promise<[StoredWebhookSecret, ...StoredWebhookSecret[]]> {
  const [current, ...former] = await listWebhookSecrets(ctx.db, userId, ctx.clock())
  if (current) return [current, ...former]
  return ctx.db.transaction(async (sql) => {
    // Others see the same lack: one of them makes the secret, and it must not replace one made by its owner.
    await lockWebhookSecrets(sql, userId)
    const found = await listWebhookSecrets(sql, userId, ctx.clock())
    if (found.length === 0) await storeNewSecret(ctx, sql, { id: newId(), userId, replaces: false })
    const [made, ...others] = found.length > 0 ? found : await listWebhookSecrets(sql, userId, ctx.clock())
    if (!made) throw new Error('The account is gone.')
    return [made, ...others]
  })
}

/**
 * Secrets to sign an account's deliveries with, the current one first. Throws `UnreadableSecretError` when the current one
 * cannot be opened; a former one that cannot is left out, so that a rotation is enough to deliver again.
 */
export async function listSigningSecrets(
  ctx: SecretContext & Pick<Context, 'log'>,
  userId: string,
): Promise<[string, ...string[]]> {
  const [current, ...former] = await storedSecrets(ctx, userId)
  const readable = former.flatMap((stored) => {
    try {
      return [open(ctx, stored)]
    } catch (error) {
      ctx.log.error('former secret left out', { user_id: userId, error: (error as Error).message })
      return []
    }
  })
  return [open(ctx, current), ...readable]
}

/**
 * Seals with the current key whatever is kept in the clear or sealed with a former key, so that the former can be taken
 * away; says so in one line where there is anything to say. Any number of processes may do so at once.
 */
export async function sealStoredSecrets(ctx: SecretContext & Pick<Context, 'log'>): Promise<void> {
  const { keyId } = ctx.secretBox
  const unreadable = new Set<string | null>()
  let sealed = 0
  for (let afterId = LEAST_ID; ; ) {
    const rows = await listSealedOtherwise(ctx.db, keyId, { afterId, limit: ROWS_A_STATEMENT })
    for (const stored of rows) {
      const outcome = await reseal(ctx, stored)
      if (outcome === 'unreadable') unreadable.add(stored.keyId)
      else if (outcome === 'sealed') sealed++
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_A_STATEMENT) break
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
