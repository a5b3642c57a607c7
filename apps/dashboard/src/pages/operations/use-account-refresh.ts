import type { OperatedAccountDetails } from '@subtext/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { actionsQuery, operatedAccountQuery } from '../../api/operations.ts'

/** Returns the function that shows an account as it is after a change, and what operators did. */
export function useAccountRefresh(id: string): (account?: OperatedAccountDetails) => Promise<void> {
  const queries = useQueryClient()
  return async (account) => {
    if (account) queries.setQueryData(operatedAccountQuery(id).queryKey, account)
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['operations', 'accounts'] }),
      queries.invalidateQueries({ queryKey: actionsQuery().queryKey.slice(0, 2) }),
    ])
  }
}
