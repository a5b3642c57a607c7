import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { sessionQuery, signInOptionsQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm, NoMail, ProviderButtons } from './auth-form.tsx'
import { isOfApi, returnPathOf } from './return-path.ts'
import { describeSignInError } from './sign-in-errors.ts'

export function SignInPage() {
  const { error: reason, verified, next = '/' } = useSearch({ from: '/sign-in' })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const emailField = useRef<HTMLInputElement>(null)
  const { data: options } = useQuery(signInOptionsQuery)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signIn = useMutation({
    mutationFn: () => callAuth('POST', '/sign-in/email', { email, password }),
    async onSuccess() {
      await queries.invalidateQueries(sessionQuery)
      await navigate({ href: next, reloadDocument: isOfApi(next) })
    },
  })
  const sendLink = useMutation({
    mutationFn: () => callAuth('POST', '/sign-in/magic-link', { email, callbackURL: returnPathOf(next) }),
    onMutate: () => signIn.reset(),
  })
  const requestLink = () => {
    if (emailField.current?.reportValidity()) sendLink.mutate()
  }
  const failure = signIn.error ?? sendLink.error
  return (
    <AuthForm title="Sign in" onSubmit={() => signIn.mutate()} footer={<Footer />}>
      {verified && <Notice tone="success">Your address has been confirmed. You can sign in now.</Notice>}
      <Field
        ref={emailField}
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
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ErrorNotice error={failure} />
      {!failure && reason && <Notice tone="danger">{describeSignInError(reason)}</Notice>}
      {sendLink.isSuccess && (
        <Notice tone="success">If {email} can sign in, a link is on its way. It works once, for 15 minutes.</Notice>
      )}
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        Sign in
      </Button>
      {options?.email === false ? (
        <NoMail />
      ) : (
        <Button busy={sendLink.isPending} onClick={requestLink}>
          Email me a link
        </Button>
      )}
      <ProviderButtons returnTo={returnPathOf(next)} />
    </AuthForm>
  )
}

function Footer() {
  const link = 'font-medium text-accent underline-offset-4 hover:underline'
  return (
    <p className="flex flex-wrap justify-between gap-2">
      <Link to="/sign-up" className={link}>
        Create an account
      </Link>
      <Link to="/forgot-password" className={link}>
        Forgot your password?
      </Link>
    </p>
  )
}
