import type { Account, AccountKey, AccountSession, CreatedKey } from '@subtext/sdk'
import { queryOptions } from '@tanstack/react-query'
import { callAccount } from './client.ts'

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: () => callAccount<Account>('GET', ''),
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await callAccount<{ keys: AccountKey[] }>('GET', '/keys')).keys,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await callAccount<{ sessions: AccountSession[] }>('GET', '/sessions')).sessions,
})

export interface NewKey {
  name: string
  scopes: ('read' | 'write')[]
  /** ISO 8601. */
  expires_at?: string
}

export const createKey = (key: NewKey) => callAccount<CreatedKey>('POST', '/keys', key)
export const updateKey = (id: string, changes: { name?: string; disabled?: boolean }) =>
  callAccount<AccountKey>('PATCH', `/keys/${id}`, changes)
export const revokeKey = (id: string) => callAccount<AccountKey>('DELETE', `/keys/${id}`)
export const endSession = (id: string) => callAccount('DELETE', `/sessions/${id}`)
export const rename = (name: string) => callAccount<Account>('PATCH', '', { name })
/** `confirm` is the address of the account. */
export const deleteAccount = (confirm: string) => callAccount('DELETE', '', { confirm })
