import type { Account, AccountKey, AccountSession, CreatedKey } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { callApi } from './client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => callApi<Account>('GET', '/account'),
  staleTime: 60_000,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await callApi<{ keys: AccountKey[] }>('GET', '/account/keys')).keys,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await callApi<{ sessions: AccountSession[] }>('GET', '/account/sessions')).sessions,
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
export const endSession = (id: string) => callApi('DELETE', `/account/sessions/${id}`)
export const rename = (name: string) => callApi<Account>('PATCH', '/account', { name })
/** `confirm` is the address of the account. */
export const deleteAccount = (confirm: string) => callApi('DELETE', '/account', { confirm })
