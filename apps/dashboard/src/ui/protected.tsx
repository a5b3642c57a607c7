import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { QueryView } from './query-view.tsx'

/** Shows a page to those who are signed in, and the sign-in page to others, which leads back here. */
export function Protected() {
  const session = useQuery(sessionQuery)
  const { href } = useLocation()
  return (
    <QueryView query={session}>
      {(data) => (data ? <Outlet /> : <Navigate to="/sign-in" search={{ next: href }} replace />)}
    </QueryView>
  )
}
