import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { callAuth } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'

export function SignInPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: () => callAuth('POST', '/sign-in/email', { email, password }),
    async onSuccess() {
      await queries.invalidateQueries(sessionQuery)
      await navigate({ to: '/' })
    },
  })
  const sendLink = useMutation({
    mutationFn: () => callAuth('POST', '/sign-in/magic-link', { email, callbackURL: '/' }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    signIn.mutate()
  }
  const error = signIn.error ?? sendLink.error
  return (
    <div className="mx-auto flex max-w-sm flex-col gap-6 py-10">
      <h1 className="text-2xl font-semibold tracking-tight">Sign in</h1>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error && <Notice tone="danger">{error.message}</Notice>}
        {sendLink.isSuccess && <Notice tone="success">If this address can sign in, a link is on its way to it.</Notice>}
        <Button type="submit" variant="primary" busy={signIn.isPending}>
          Sign in
        </Button>
        <Button busy={sendLink.isPending} disabled={email === ''} onClick={() => sendLink.mutate()}>
          Email me a link
        </Button>
      </form>
      <p className="text-sm text-muted">
        No account yet?{' '}
        <Link to="/sign-up" className="font-medium text-accent underline-offset-4 hover:underline">
          Create one
        </Link>
      </p>
    </div>
  )
}
