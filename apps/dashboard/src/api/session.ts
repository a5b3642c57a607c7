import { queryOptions } from '@tanstack/react-query'
import { callAuth } from './client.ts'

/** Who is signed in; null if nobody is. */
export interface Session {
  user: { id: string; email: string; name: string }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => callAuth<Session | null>('GET', '/get-session'),
  staleTime: 60_000,
})
