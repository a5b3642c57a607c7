import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOfApi, readOwnPath, readReturnPath } from './return-path.ts'

/** Leads on to the page that someone wanted to see before signing in, with its hash. */
export function ReturnPage() {
  const { to = '' } = useSearch({ from: '/return' })
  const path = readOwnPath(readReturnPath(to)) ?? '/'
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ href: path, replace: true, reloadDocument: isOfApi(path) })
  }, [navigate, path])
  return null
}
