import type { QueryClient } from '@tanstack/react-query'
import { callAuth } from './client.ts'
import { sessionQuery } from './session.ts'

/** Tells the other tabs of this browser who has signed in (the user's ID), or null after a sign-out. */
const channel = new BroadcastChannel('session')

/** Whose account this tab shows; null for nobody, undefined until it is known. */
let shown: string | null | undefined

/** Discards everything that was loaded for an account, here and in the other tabs. */
export function leaveAccount(): void {
  shown = null
  channel.postMessage(null)
  location.assign('/')
}

export async function signOut(): Promise<void> {
  await callAuth('POST', '/sign-out', {})
  leaveAccount()
}

/**
 * Keeps this tab from showing one account while the cookie is that of another: the page starts over when someone signs out, or
 * in to another account, in another tab. A session that has merely ended keeps the page, so that nothing that was typed is lost.
 */
export function watchSession(queries: QueryClient): void {
  const { queryKey } = sessionQuery
  const readAgain = () => queries.invalidateQueries({ queryKey })
  queries.getQueryCache().subscribe(({ query, type }) => {
    if (type !== 'updated' || query.queryKey[0] !== queryKey[0] || query.state.status !== 'success') return
    const id = queries.getQueryData(queryKey)?.user.id ?? null
    if (id === shown) return
    if (id === null) shown ??= null
    else if (typeof shown === 'string') location.reload()
    else {
      shown = id
      channel.postMessage(id)
    }
  })
  channel.onmessage = ({ data }: MessageEvent<string | null>) => {
    if (typeof shown === 'string' && data !== shown) location.reload()
    else void readAgain()
  }
  // A page from the back-forward cache has the state of the moment when it was left.
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    await readAgain()
    if (typeof shown === 'string' && queries.getQueryData(queryKey)?.user.id !== shown) location.reload()
  })
}
