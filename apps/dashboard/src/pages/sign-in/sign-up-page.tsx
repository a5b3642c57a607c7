import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { type SignInOptions, signInOptionsQuery } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm, NoMail, ProviderButtons } from './auth-form.tsx'
import { FirstSignUp } from './first-sign-up.tsx'

export function SignUpPage() {
  const { setup } = useSearch({ from: '/sign-up' })
  const { data: options } = useQuery(signInOptionsQuery)
  const minLength = options?.min_password_length ?? 10
  return setup === undefined ? (
    <SignUp options={options} minLength={minLength} />
  ) : (
    <FirstSignUp token={setup} minLength={minLength} />
  )
}

function SignUp({ options, minLength }: { options: SignInOptions | undefined; minLength: number }) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signUp = useMutation({
    mutationFn: () => callAuth('POST', '/sign-up/email', { name, email, password }),
  })
  const footer = (
    <p>
      Already have an account?{' '}
      <Link to="/sign-in" className="font-medium text-accent underline-offset-4 hover:underline">
        Sign in
      </Link>
    </p>
  )
  if (signUp.isSuccess) {
    return (
      <AuthForm title="Check your inbox" onSubmit={() => {}} footer={footer}>
        <Notice tone="success">
          We have sent a message to {email}. Follow the link in it to confirm your address.
        </Notice>
        <p className="text-sm leading-relaxed text-muted">
          No message after a minute? Check your spam folder, and the address above.{' '}
          <button type="button" onClick={() => signUp.reset()} className="text-accent underline underline-offset-4">
            Change the address or send it again
          </button>
        </p>
      </AuthForm>
    )
  }
  return (
    <AuthForm title="Create your account" onSubmit={() => signUp.mutate()} footer={footer}>
      {options && options.sign_up !== 'open' && (
        <Notice tone="warning">
          {options.sign_up === 'invite'
            ? 'You need an invitation to sign up. Use the address that it was sent to.'
            : 'This service does not accept new accounts. If its operator has created one for you, use its address.'}
        </Notice>
      )}
      {options?.email === false && <NoMail />}
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
      <ProviderButtons returnTo="/" />
    </AuthForm>
  )
}
