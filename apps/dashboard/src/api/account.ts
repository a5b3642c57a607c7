import type { KeyUpdate, NewKey } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => subtext.account.get(),
  // Plans change seldom. Another tab may still have changed the name.
  staleTime: 600_000,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: () => subtext.account.keys(),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => subtext.account.sessions(),
})

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: () => subtext.account.apps(),
})

/** The URL of the MCP server for clients; null where users cannot connect applications. */
export const mcpAddressQuery = queryOptions({
  queryKey: ['mcp-address'],
  async queryFn({ signal }): Promise<string | null> {
    const response = await fetch('/.well-known/oauth-protected-resource', { signal })
    return response.ok ? ((await response.json()) as { resource: string }).resource : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export const createKey = (key: NewKey) => subtext.account.createKey(key)
export const updateKey = (id: string, changes: KeyUpdate) => subtext.account.updateKey(id, changes)
export const revokeKey = (id: string) => subtext.account.revokeKey(id)
export const disconnectApp = (id: string) => subtext.account.disconnectApp(id)
export const endSession = (id: string) => subtext.account.endSession(id)
export const rename = (name: string) => subtext.account.update({ name })
export const moveToTimeZone = (time_zone: string) => subtext.account.update({ time_zone })
/** Null removes the limit. */
export const limitMonth = (monthly_limit_usd: number | null) => subtext.account.update({ monthly_limit_usd })
/** `confirm` is the address of the account. */
export const deleteAccount = (confirm: string) => subtext.account.delete(confirm)
