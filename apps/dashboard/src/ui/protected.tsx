import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type Session, sessionQuery } from '../api/session.ts'
import { SignInElsewhere } from './error-notice.tsx'
import { Notice } from './notice.tsx'
import { QueryView } from './query-view.tsx'

/** Shows a page to signed-in users, and to others the sign-in page, which leads back here. */
export function Protected() {
  const session = useQuery(sessionQuery)
  return <QueryView query={session}>{(data) => <Gate session={data} />}</QueryView>
}

/** A session that ends while a page is open leaves the page as it is: something may have been typed there. */
function Gate({ session }: { session: Session | null }) {
  const router = useRouter()
  // Read once: while the sign-in page loads, its own address would become the one to come back to.
  const [next] = useState(() => router.state.location.href)
  const [wasOpen, setOpen] = useState(session !== null)
  useEffect(() => {
    if (session) setOpen(true)
  }, [session])
  if (!session && !wasOpen) return <Navigate to="/sign-in" search={{ next }} replace />
  return (
    <>
      {!session && (
        <div className="mb-6">
          <Notice tone="warning">
            Your session has ended. What you have typed is kept.
            <SignInElsewhere />
          </Notice>
        </div>
      )}
      <Outlet />
    </>
  )
}
