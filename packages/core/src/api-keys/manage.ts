import type { Context } from '../context.ts'
import { hashApiKey } from './create.ts'
import { changeApiKey, findApiKeys, type KeyChange, type KeyFilter, type StoredApiKey } from './keys-sql.ts'
import { isApiKey } from './verify.ts'

/** A key as operators see it. The key itself is not stored anywhere. */
export interface ListedKey extends StoredApiKey {
  state: 'active' | 'disabled' | 'expired' | 'revoked'
  /** The first and last characters of the key, by which its holder recognizes it. */
  label: string
}

type KeyContext = Pick<Context, 'db' | 'clock'>

/** Returns whether a key can be used and, if not, why not. */
export function stateOfKey(
  key: Pick<StoredApiKey, 'revokedAt' | 'disabledAt' | 'expiresAt'>,
  now: Date,
): ListedKey['state'] {
  if (key.revokedAt) return 'revoked'
  if (key.disabledAt) return 'disabled'
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active'
}

const describeKey = (key: StoredApiKey, now: Date): ListedKey => ({
  ...key,
  state: stateOfKey(key, now),
  label: `${key.prefix}…${key.lastFour}`,
})

/** Returns the keys of the user with this email address, or of all users. */
export const listApiKeys = async (ctx: KeyContext, email?: string): Promise<ListedKey[]> =>
  (await findApiKeys(ctx.db, { email })).map((key) => describeKey(key, ctx.clock()))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LABEL = /^(sk_[0-9a-f]{6})(?:(?:…|\.{3})([0-9a-f]{4})?)?$/

/**
 * Parses what an operator types to name a key: its ID, the whole key, or its label, with or without the last characters.
 * Returns null for anything else.
 */
export function parseKeySelector(text: string): KeyFilter | null {
  if (UUID.test(text)) return { id: text }
  if (isApiKey(text)) return { hash: hashApiKey(text) }
  const [, prefix, lastFour] = LABEL.exec(text) ?? []
  return prefix ? { prefix, lastFour } : null
}

/** Returns the keys that match a selector. Several keys may have the same label. */
export const findKeys = async (ctx: KeyContext, selector: KeyFilter): Promise<ListedKey[]> =>
  (await findApiKeys(ctx.db, selector)).map((key) => describeKey(key, ctx.clock()))

/** Changes a key, in all processes within a second. Returns false if there was nothing to change. */
export const changeKey = (
  ctx: KeyContext,
  key: Pick<ListedKey, 'id' | 'userId'>,
  change: KeyChange,
): Promise<boolean> => changeApiKey(ctx.db, key.userId, key.id, change)
