import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery } from '../api/session.ts'
import { QueryView } from './query-view.tsx'

/** Shows a page to those who are signed in, and the sign-in page to others, which leads back here. */
export function Protected() {
  const session = useQuery(sessionQuery)
  const router = useRouter()
  // Read once: while the sign-in page loads, its own address would become the one to come back to.
  const [next] = useState(() => router.state.location.href)
  return (
    <QueryView query={session}>
      {(data) => (data ? <Outlet /> : <Navigate to="/sign-in" search={{ next }} replace />)}
    </QueryView>
  )
}
