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
