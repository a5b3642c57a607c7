import { MAX_ACTIVE_KEYS, type Scope, ServiceError, validationError } from '@subtext/contracts'
import { validate as isUuid, v7 as newId } from 'uuid'
import { buildApiKey } from '../api-keys/create.ts'
import { changeApiKey, insertApiKey } from '../api-keys/index.ts'
import type { Context, SignedInActor } from '../context.ts'
import { queueNotice } from '../emails/queue.ts'
import { assertKeysIncluded } from '../plans/gates.ts'
import {
  countActiveKeys,
  findOwnedKey,
  listOwnedKeys,
  lockAccount,
  type OwnedApiKey,
  renameKey,
} from './account-sql.ts'

const SHOWN_AFTER_REVOCATION_MS = 30 * 86_400_000
const MAX_SHOWN = 200

type KeyContext = Pick<Context, 'db' | 'clock'>

/** Returns the keys of the account, the newest first, without those that were revoked long ago. */
export const listOwnKeys = (ctx: KeyContext, actor: SignedInActor): Promise<OwnedApiKey[]> =>
  listOwnedKeys(ctx.db, actor.userId, {
    revokedSince: new Date(ctx.clock().getTime() - SHOWN_AFTER_REVOCATION_MS),
    limit: MAX_SHOWN,
  })

export interface NewOwnKey {
  name: string
  scopes: Scope[]
  /** Absent: the key never expires. */
  expiresAt: Date | undefined
}

/**
 * Creates a key of the account. Returns it with the key itself, which cannot be read again later. Errors:
 * `PLAN_UPGRADE_REQUIRED`, `VALIDATION_ERROR` for an expiry in the past, `KEY_LIMIT_REACHED`.
 */
export async function createOwnKey(
  ctx: KeyContext,
  actor: SignedInActor,
  request: NewOwnKey,
): Promise<OwnedApiKey & { key: string }> {
  assertKeysIncluded(actor)
  const now = ctx.clock()
  if (request.expiresAt && request.expiresAt <= now) {
    throw validationError([{ path: 'expires_at', message: 'Must be in the future.', code: 'past' }])
  }
  const { key, ...stored } = buildApiKey()
  const id = newId()
  return ctx.db.transaction(async (sql) => {
    // Keys of one account are counted and created one after the other.
    const account = await lockAccount(sql, actor.userId)
    if (!account) throw new ServiceError('NOT_FOUND')
    if ((await countActiveKeys(sql, actor.userId, now)) >= MAX_ACTIVE_KEYS) throw new ServiceError('KEY_LIMIT_REACHED')
    const { name, scopes, expiresAt = null } = request
    await insertApiKey(sql, { id, userId: actor.userId, name, scopes, expiresAt, ...stored })
    const created = await findOwnedKey(sql, actor.userId, id)
    if (!created) throw new Error('A key that was just created is missing.')
    const label = `${stored.prefix}…${stored.lastFour}`
    const { userId } = actor
    await queueNotice(sql, now, { userId, recipient: account.email, kind: 'key_created', data: { name, label } })
    return { ...created, key }
  })
}

/** Renames, disables or enables a key of the account. Errors: `NOT_FOUND`; a revoked key stays revoked. */
export async function updateOwnKey(
  ctx: KeyContext,
  actor: SignedInActor,
  id: string,
  { name, disabled }: { name?: string | undefined; disabled?: boolean | undefined },
): Promise<OwnedApiKey> {
  await getOwnKey(ctx, actor, id)
  if (name !== undefined) await renameKey(ctx.db, actor.userId, id, name)
  if (disabled !== undefined) await changeApiKey(ctx.db, actor.userId, id, disabled ? 'disable' : 'enable')
  return getOwnKey(ctx, actor, id)
}

/** Revokes a key of the account, for good. Throws `NOT_FOUND`. */
export async function revokeOwnKey(ctx: KeyContext, actor: SignedInActor, id: string): Promise<OwnedApiKey> {
  await getOwnKey(ctx, actor, id)
  await changeApiKey(ctx.db, actor.userId, id, 'revoke')
  return getOwnKey(ctx, actor, id)
}

async function getOwnKey(ctx: KeyContext, actor: SignedInActor, id: string): Promise<OwnedApiKey> {
  const key = isUuid(id) ? await findOwnedKey(ctx.db, actor.userId, id) : null
  if (!key) throw new ServiceError('NOT_FOUND')
  return key
}
