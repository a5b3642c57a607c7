import type { Plan, Scope } from '@subtext/contracts'
import { isApiKey } from '@subtext/runtime'
import type { PrismaContext } from '../context.ts'
import { hashApiKey } from './create.ts'

/** What may be shown of a key. The key itself is not stored anywhere. */
export interface StoredApiKey {
  id: string
  userId: string
  name: string | null
  prefix: string
  lastFour: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date | null
  disabledAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}

/** A key as operators see it. */
export interface ListedKey extends StoredApiKey {
  email: string
  plan: Plan
  state: 'active' | 'disabled' | 'expired' | 'revoked'
  /** The first and last characters of the key, by which its holder recognizes it. */
  label: string
}

/** Everything that an operator may know about a key. An empty filter matches every key. */
export interface KeyFilter {
  email?: string
  id?: string
  hash?: Uint8Array<ArrayBuffer>
  prefix?: string
  lastFour?: string
}

type KeyContext = Pick<PrismaContext, 'db' | 'clock'>

/** Returns a row with the scopes that it was stored with. */
export const toStoredKey = <Row extends { scopes: string[] }>(row: Row): Row & { scopes: Scope[] } => ({
  ...row,
  scopes: row.scopes as Scope[],
})

/** Returns whether a key can be used and, if not, why not. */
export function stateOfKey(
  key: Pick<StoredApiKey, 'revokedAt' | 'disabledAt' | 'expiresAt'>,
  now: Date,
): ListedKey['state'] {
  if (key.revokedAt) return 'revoked'
  if (key.disabledAt) return 'disabled'
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active'
}

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

/** Lists the keys of all users that match the filter, for operators. Several keys may have the same label. */
export async function findKeys({ db, clock }: KeyContext, { email, ...filter }: KeyFilter): Promise<ListedKey[]> {
  const keys = await db.prisma.apiKey.findMany({
    where: { ...filter, user: { email } },
    omit: { hash: true, byOperator: true },
    include: { user: { select: { email: true, plan: true } } },
    orderBy: [{ user: { email: 'asc' } }, { createdAt: 'asc' }, { id: 'asc' }],
  })
  const now = clock()
  return keys.map(({ user, ...key }) => ({
    ...toStoredKey(key),
    ...user,
    state: stateOfKey(key, now),
    label: `${key.prefix}…${key.lastFour}`,
  }))
}

/** What each change requires of a key, and what it sets. */
const CHANGES = {
  revoke: { where: {}, set: (now: Date) => ({ revokedAt: now }) },
  disable: { where: { disabledAt: null }, set: (now: Date) => ({ disabledAt: now }) },
  enable: { where: { disabledAt: { not: null } }, set: () => ({ disabledAt: null }) },
}

/** A revoked key stays revoked. A disabled key can be enabled again. */
export type KeyChange = keyof typeof CHANGES

/** Changes a key, in all processes within a second. Returns false if there was nothing to change. */
export async function changeKey(
  { db, clock }: KeyContext,
  { id, userId }: Pick<StoredApiKey, 'id' | 'userId'>,
  change: KeyChange,
): Promise<boolean> {
  const { where, set } = CHANGES[change]
  const changed = { where: { id, userId, revokedAt: null, ...where }, data: set(clock()) }
  return (await db.prisma.apiKey.updateMany(changed)).count > 0
}
