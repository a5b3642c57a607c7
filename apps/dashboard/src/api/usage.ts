import { queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

/** What the account has used of its quotas and limits. */
export const currentUsageQuery = queryOptions({
  queryKey: ['usage', 'current'],
  queryFn: () => subtext.usage.current(),
})
