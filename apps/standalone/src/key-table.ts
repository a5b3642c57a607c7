import type { ListedKey } from '@subtext/core/api-keys'

const COLUMNS: [title: string, cell: (key: ListedKey) => string][] = [
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

/** Formats a time in UTC to the minute; uses of keys are recorded no more precisely. */
const minute = (time: Date | null): string => (time ? time.toISOString().slice(0, 16).replace('T', ' ') : 'never')

/** Addresses that were stored before they were checked must not steer the terminal, or reverse the direction of text. */
const toVisible = (text: string): string => text.replace(/\p{C}/gu, '?')

/** Formats keys as a table for people. */
export function keysAsTable(keys: ListedKey[]): string {
  if (keys.length === 0) return 'There are no keys.'
  const rows = [COLUMNS.map(([title]) => title), ...keys.map((key) => COLUMNS.map(([, cell]) => toVisible(cell(key))))]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

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
