import { MAX_ACTIVE_KEYS, type Scope, ServiceError, validationError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import { buildApiKey } from '../api-keys/create.ts'
import { changeKey, insertApiKey, type StoredApiKey, toStoredKey } from '../api-keys/index.ts'
import type { PrismaContext, SignedInActor } from '../context.ts'
import { queueNotice } from '../emails/queue.ts'
import type { ReservedResource } from '../idempotency/claim.ts'
import { assertKeysIncluded } from '../plans/gates.ts'
import { countActiveKeys, lockAccount } from './account-sql.ts'

const SHOWN_AFTER_REVOCATION_MS = 30 * 86_400_000
const MAX_SHOWN = 200

type KeyContext = Pick<PrismaContext, 'db' | 'clock'>

/** Returns the keys of the account, the newest first, without those that were revoked long ago. */
export async function listOwnKeys({ db, clock }: KeyContext, { userId }: SignedInActor): Promise<StoredApiKey[]> {
  const revokedSince = new Date(clock().getTime() - SHOWN_AFTER_REVOCATION_MS)
  const keys = await db.prisma.apiKey.findMany({
    where: { userId, OR: [{ revokedAt: null }, { revokedAt: { gte: revokedSince } }] },
    omit: { hash: true, byOperator: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_SHOWN,
  })
  return keys.map(toStoredKey)
}

export interface NewOwnKey {
  name: string
  scopes: Scope[]
  /** Absent: the key never expires. */
  expiresAt: Date | undefined
}

/**
 * Creates a key of the account. Returns it with the key itself, which cannot be read again later. Errors:
 * `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` for an expiry in the past, `KEY_LIMIT_REACHED`; `KEY_ALREADY_CREATED` if an earlier
 * call has created the key with the reserved ID.
 */
export async function createOwnKey(
  ctx: KeyContext,
  actor: SignedInActor,
  request: NewOwnKey,
  reserved?: ReservedResource,
): Promise<StoredApiKey & { key: string }> {
  if (reserved?.mayExist) await refuseExisting(ctx, actor, reserved.id)
  assertKeysIncluded(actor)
  const now = ctx.clock()
  if (request.expiresAt && request.expiresAt <= now) {
    throw validationError([{ path: 'expires_at', message: 'Must be in the future.', code: 'past' }])
  }
  const { key, ...stored } = buildApiKey()
  const id = reserved?.id ?? newId()
  return ctx.db.transaction(async (sql) => {
    // Keys of one account are counted and created one after the other.
    const account = await lockAccount(sql, actor.userId)
    if (!account) throw new ServiceError('NOT_FOUND')
    if ((await countActiveKeys(sql, actor.userId, now)) >= MAX_ACTIVE_KEYS) throw new ServiceError('KEY_LIMIT_REACHED')
    const { name, scopes, expiresAt = null } = request
    const { hash, ...shown } = stored
    const created = { id, userId: actor.userId, name, scopes, expiresAt, byOperator: false, ...shown }
    const createdAt = await insertApiKey(sql, { ...created, hash })
    const label = `${stored.prefix}…${stored.lastFour}`
    const { userId } = actor
    await queueNotice(sql, now, { userId, recipient: account.email, kind: 'key_created', data: { name, label } })
    return { ...created, createdAt, disabledAt: null, revokedAt: null, lastUsedAt: null, key }
  })
}

/** Throws `KEY_ALREADY_CREATED` if the account has the key with this ID. The key itself cannot be shown again. */
async function refuseExisting({ db }: KeyContext, { userId }: SignedInActor, id: string): Promise<void> {
  const key = await db.prisma.apiKey.findFirst({ where: { id, userId }, select: { prefix: true, lastFour: true } })
  if (!key) return
  throw new ServiceError('KEY_ALREADY_CREATED', { details: { id, prefix: key.prefix, last_four: key.lastFour } })
}

/** Renames, disables or enables a key of the account. Errors: `NOT_FOUND`; a revoked key stays revoked. */
export async function updateOwnKey(
  ctx: KeyContext,
  actor: SignedInActor,
  id: string,
  { name, disabled }: { name?: string | undefined; disabled?: boolean | undefined },
): Promise<StoredApiKey> {
  const key = await getOwnKey(ctx, actor, id)
  const { userId } = actor
  if (name !== undefined) {
    // A key without a name is an operator's, and stays so.
    await ctx.db.prisma.apiKey.updateMany({ where: { id, userId, name: null }, data: { byOperator: true } })
    await ctx.db.prisma.apiKey.updateMany({ where: { id, userId }, data: { name } })
  }
  if (disabled !== undefined) await changeKey(ctx, key, disabled ? 'disable' : 'enable')
  return getOwnKey(ctx, actor, id)
}

/** Revokes a key of the account, for good. Throws `NOT_FOUND`. */
export async function revokeOwnKey(ctx: KeyContext, actor: SignedInActor, id: string): Promise<StoredApiKey> {
  await changeKey(ctx, await getOwnKey(ctx, actor, id), 'revoke')
  return getOwnKey(ctx, actor, id)
}

async function getOwnKey({ db }: KeyContext, { userId }: SignedInActor, id: string): Promise<StoredApiKey> {
  const key = isUuid(id)
    ? await db.prisma.apiKey.findFirst({ where: { id, userId }, omit: { hash: true, byOperator: true } })
    : null
  if (!key) throw new ServiceError('NOT_FOUND')
  return toStoredKey(key)
}
