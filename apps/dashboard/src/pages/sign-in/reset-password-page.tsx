import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm } from './auth-form.tsx'
import { describeSignInError } from './sign-in-errors.ts'

export function ResetPasswordPage() {
  const { token = '', error: reason } = useSearch({ from: '/reset-password' })
  const [newPassword, setNewPassword] = useState('')
  const reset = useMutation({ mutationFn: () => callAuth('POST', '/reset-password', { newPassword, token }) })
  const footer = (
    <Link to="/sign-in" className="font-medium text-accent underline-offset-4 hover:underline">
      Sign in
    </Link>
  )
  return (
    <AuthForm title="Choose a new password" onSubmit={() => reset.mutate()} footer={footer}>
      {reason && <Notice tone="danger">{describeSignInError(reason)}</Notice>}
      {reset.isSuccess ? (
        <Notice tone="success">Your password is changed, and every other session has ended. Sign in with it.</Notice>
      ) : (
        <>
          <Field
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            minLength={10}
            hint="At least 10 characters."
            value={newPassword}
            onChange={(event) => setNewPassword(event.target.value)}
          />
          <ErrorNotice error={reset.error} />
          <Button type="submit" variant="primary" busy={reset.isPending} disabled={token === ''}>
            Change password
          </Button>
        </>
      )}
    </AuthForm>
  )
}
