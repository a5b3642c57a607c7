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
  // The session may have ended, or belong to someone else by now.
  refetchOnWindowFocus: 'always',
})

/** The data of the pages for signing up and in. */
export interface SignInOptions {
  sign_up: 'open' | 'closed' | 'invite'
  providers: { id: string; name: string }[]
  min_password_length: number
  /** Whether the service can send email. */
  email: boolean
}

export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => callAuth<SignInOptions>('GET', '/options'),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Goes to a provider to sign in, and back to `returnTo`. */
export async function signInWithProvider(provider: string, returnTo: string): Promise<void> {
  const { url } = await callAuth<{ url: string }>('POST', '/sign-in/social', {
    provider,
    callbackURL: returnTo,
    errorCallbackURL: '/sign-in',
  })
  location.assign(url)
}
