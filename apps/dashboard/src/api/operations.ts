import type { OperatedAccountList, Operations } from '@subtext/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { CURSOR_PAGES } from './cursor-pages.ts'

/** What the service has to do. For operators. */
export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: () => callApi<Operations>('GET', '/operations'),
  refetchOnWindowFocus: true,
})

/** All accounts, newest first, or the one with this address. For operators. */
export const accountsQuery = (email: string) =>
  infiniteQueryOptions({
    queryKey: ['operations', 'accounts', email],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({ limit: '20' })
      if (email !== '') query.set('email', email)
      if (pageParam !== undefined) query.set('cursor', pageParam)
      return callApi<OperatedAccountList>('GET', `/operations/accounts?${query}`)
    },
    ...CURSOR_PAGES,
  })
