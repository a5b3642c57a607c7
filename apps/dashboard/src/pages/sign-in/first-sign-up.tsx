import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm } from './auth-form.tsx'

/** Creates the first account, with the link that the service printed when it started. */
export function FirstSignUp({ token, minLength }: { token: string; minLength: number }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signUp = useMutation({
    mutationFn: () => callAuth('POST', '/sign-up/first', { token, name, email, password }),
    async onSuccess() {
      await queries.invalidateQueries(sessionQuery)
      await navigate({ to: '/', replace: true })
    },
  })
  const footer = <p>The link works once, for an hour. The service prints another one when it starts.</p>
  return (
    <AuthForm title="Create the first account" onSubmit={() => signUp.mutate()} footer={footer}>
      <Notice tone="success">
        Nobody has signed in yet. This account is on the Pro plan and operates the service.
      </Notice>
      <Field
        label="Name"
        autoComplete="name"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        required
        hint="You sign in with it. Nothing is sent to it now."
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        minLength={minLength}
        hint={`At least ${minLength} characters.`}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ErrorNotice error={signUp.error} />
      <Button type="submit" variant="primary" busy={signUp.isPending}>
        Create account
      </Button>
    </AuthForm>
  )
}
