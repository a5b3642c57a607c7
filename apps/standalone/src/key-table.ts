import type { ListedKey } from '@subtext/core/api-keys'
import { type Columns, formatTable, minute } from './table.ts'

const COLUMNS: Columns<ListedKey> = [
  ['ID', (key) => key.id],
  ['KEY', (key) => key.label],
  ['EMAIL', (key) => key.email],
  ['PLAN', (key) => key.plan],
  ['SCOPES', (key) => key.scopes.join(',')],
  ['STATE', (key) => key.state],
  ['CREATED', (key) => minute(key.createdAt)],
  ['LAST USED', (key) => minute(key.lastUsedAt)],
  ['EXPIRES', (key) => minute(key.expiresAt)],
]

/** Formats keys as a table for people. */
export const keysAsTable = (keys: ListedKey[]): string =>
  keys.length === 0 ? 'There are no keys.' : formatTable(COLUMNS, keys)

/** Formats keys as JSON for scripts. */
export const keysAsJson = (keys: ListedKey[]): string =>
  JSON.stringify(
    keys.map((key) => ({
      id: key.id,
      key: key.label,
      email: key.email,
      plan: key.plan,
      scopes: key.scopes,
      state: key.state,
      created_at: key.createdAt,
      last_used_at: key.lastUsedAt,
      expires_at: key.expiresAt,
      disabled_at: key.disabledAt,
      revoked_at: key.revokedAt,
    })),
    null,
    2,
  )
