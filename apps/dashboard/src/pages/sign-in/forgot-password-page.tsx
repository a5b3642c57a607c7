import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm } from './auth-form.tsx'

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const send = useMutation({
    mutationFn: () => callAuth('POST', '/request-password-reset', { email, redirectTo: '/reset-password' }),
  })
  const footer = (
    <Link to="/sign-in" className="font-medium text-accent underline-offset-4 hover:underline">
      Back to sign-in
    </Link>
  )
  return (
    <AuthForm title="Forgot your password?" onSubmit={() => send.mutate()} footer={footer}>
      <Field
        label="Email"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <ErrorNotice error={send.error} />
      {send.isSuccess && (
        <Notice tone="success">If {email} has an account, a link to set a new password is on its way.</Notice>
      )}
      <Button type="submit" variant="primary" busy={send.isPending}>
        Send the link
      </Button>
    </AuthForm>
  )
}
