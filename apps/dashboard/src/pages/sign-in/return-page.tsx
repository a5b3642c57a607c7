import { Navigate, useSearch } from '@tanstack/react-router'

/** Leads on to the page that someone wanted to see before signing in, with its hash. A redirect of the router would drop that. */
export function ReturnPage() {
  const { to = '/' } = useSearch({ from: '/return' })
  return <Navigate href={to} replace />
}
