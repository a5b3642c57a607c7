import type { OperatedAccountUpdate } from '@subtext/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'
import { CURSOR_PAGES } from './cursor-pages.ts'

/** Load and spending of the service. For operators. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: () => subtext.operations.get(),
  refetchOnWindowFocus: true,
})

/** All accounts, newest first, or the one with this address. For operators. */
export const accountsQuery = (email: string) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'accounts', email],
    queryFn: ({ pageParam }) => subtext.operations.accounts({ email: email || undefined, limit: 20 }).page(pageParam),
    ...CURSOR_PAGES,
  })

/** An account as operators see it. */
export const operatedAccountQuery = (id: string) =>
  queryOptions({
    queryKey: ['operations', 'account', id],
    queryFn: () => subtext.operations.account(id),
    refetchOnWindowFocus: true,
  })

/** What operators did, to all accounts or to this one. */
export const actionsQuery = (accountId?: string) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'actions', accountId],
    queryFn: ({ pageParam }) =>
      subtext.operations.actions({ limit: 20, ...(accountId !== undefined && { accountId }) }).page(pageParam),
    ...CURSOR_PAGES,
  })

export const updateOperatedAccount = (id: string, changes: OperatedAccountUpdate) =>
  subtext.operations.updateAccount(id, changes)
export const suspendAccount = (id: string, reason: string) => subtext.operations.suspendAccount(id, reason || undefined)
export const restoreAccount = (id: string) => subtext.operations.restoreAccount(id)
/** `confirm` is the address of the account. */
export const deleteOperatedAccount = (id: string, confirm: string) => subtext.operations.deleteAccount(id, confirm)
export const createSupportLink = (id: string, reason: string) =>
  subtext.operations.createSupportLink(id, reason || undefined)
