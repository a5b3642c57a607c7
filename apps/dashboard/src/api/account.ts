import type { Account, AccountKey, AccountSession, ConnectedApp, CreatedKey } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => callApi<Account>('GET', '/account'),
  // Plans change seldom. Another tab may still have changed the name.
  staleTime: 600_000,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await callApi<{ keys: AccountKey[] }>('GET', '/account/keys')).keys,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await callApi<{ sessions: AccountSession[] }>('GET', '/account/sessions')).sessions,
})

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: async () => (await callApi<{ apps: ConnectedApp[] }>('GET', '/account/apps')).apps,
})

/** The address that MCP clients are given; null where people cannot connect applications. */
export const mcpAddressQuery = queryOptions({
  queryKey: ['mcp-address'],
  async queryFn({ signal }): Promise<string | null> {
    const response = await fetch('/.well-known/oauth-protected-resource', { signal })
    return response.ok ? ((await response.json()) as { resource: string }).resource : null
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export interface NewKey {
  name: string
  scopes: ('read' | 'write')[]
  /** ISO 8601. */
  expires_at?: string
}

export const createKey = (key: NewKey) => callApi<CreatedKey>('POST', '/account/keys', key)
export const updateKey = (id: string, changes: { name?: string; disabled?: boolean }) =>
  callApi<AccountKey>('PATCH', `/account/keys/${id}`, changes)
export const revokeKey = (id: string) => callApi<AccountKey>('DELETE', `/account/keys/${id}`)
export const disconnectApp = (id: string) => callApi('DELETE', `/account/apps/${id}`)
export const endSession = (id: string) => callApi('DELETE', `/account/sessions/${id}`)
export const rename = (name: string) => callApi<Account>('PATCH', '/account', { name })
/** `confirm` is the address of the account. */
export const deleteAccount = (confirm: string) => callApi('DELETE', '/account', { confirm })
