import { changeApiKey, findApiKeys, type KeyChange, type KeyFilter, type StoredApiKey } from '@subtext/db'
import type { Context } from '../context.ts'
import { hashApiKey } from './create.ts'
import { KEY_PATTERN } from './verify.ts'

/** A key as operators see it; the key itself is kept nowhere. */
export interface ListedKey extends StoredApiKey {
  state: 'active' | 'disabled' | 'expired' | 'revoked'
  /** Its beginning and end, as its holder sees them too. */
  label: string
}

type KeyContext = Pick<Context, 'db' | 'clock'>

const listed = (key: StoredApiKey, now: Date): ListedKey => ({
  ...key,
  state: key.revokedAt
    ? 'revoked'
    : key.disabledAt
      ? 'disabled'
      : key.expiresAt && key.expiresAt <= now
        ? 'expired'
        : 'active',
  label: `${key.prefix}…${key.lastFour}`,
})

/** Keys of the user with this address, or of everybody. */
export const listApiKeys = async (ctx: KeyContext, email?: string): Promise<ListedKey[]> =>
  (await findApiKeys(ctx.db, { email })).map((key) => listed(key, ctx.clock()))

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LABEL = /^(sk_[0-9a-f]{6})(?:(?:…|\.{3})([0-9a-f]{4})?)?$/

/** What `text` may mean: an id, a whole key, or what is visible of one, with or without its end. Null: nothing of these. */
export function parseKeySelector(text: string): KeyFilter | null {
  if (UUID.test(text)) return { id: text }
  if (KEY_PATTERN.test(text)) return { hash: hashApiKey(text) }
  const [, prefix, lastFour] = LABEL.exec(text) ?? []
  return prefix ? { prefix, lastFour } : null
}

/** Keys a selector fits; several may share what is visible of them. */
export const findKeys = async (ctx: KeyContext, selector: KeyFilter): Promise<ListedKey[]> =>
  (await findApiKeys(ctx.db, selector)).map((key) => listed(key, ctx.clock()))

/** Whether it changed anything. Every process has heard of it within a second. */
export const changeKey = (
  ctx: KeyContext,
  key: Pick<ListedKey, 'id' | 'userId'>,
  change: KeyChange,
): Promise<boolean> => changeApiKey(ctx.db, key.userId, key.id, change)
