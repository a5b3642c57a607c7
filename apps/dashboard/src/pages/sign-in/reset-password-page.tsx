import { useMutation } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { callAuth } from '../../api/client.ts'
import { SignInError } from '../../api/errors.ts'
import { BUTTON_LINK, Button } from '../../ui/button.tsx'
import { DisconnectApps } from '../../ui/disconnect-apps.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthForm } from './auth-form.tsx'
import { describeSignInError } from './sign-in-errors.ts'

/** Whether the link is invalid, as opposed to the password. */
const isLinkError = (error: Error | null): boolean => {
  const issues = error instanceof SignInError ? error.details?.issues : undefined
  return ((issues ?? []) as { path: string }[]).some(({ path }) => path === 'token')
}

export function ResetPasswordPage() {
  const { token = '', error: reason } = useSearch({ from: '/reset-password' })
  const [newPassword, setNewPassword] = useState('')
  const [disconnectApps, setDisconnectApps] = useState(true)
  const reset = useMutation({
    mutationFn: () => callAuth('POST', '/reset-password', { newPassword, token, disconnectApps }),
  })
  const footer = (
    <Link to="/sign-in" className="font-medium text-accent underline-offset-4 hover:underline">
      Sign in
    </Link>
  )
  const failure = reason ?? (token === '' || isLinkError(reset.error) ? 'INVALID_TOKEN' : null)
  if (failure !== null) {
    return (
      <AuthForm title="Choose a new password" onSubmit={() => {}} footer={footer}>
        <Notice tone="danger">{describeSignInError(failure)}</Notice>
        <Link to="/forgot-password" className={BUTTON_LINK}>
          Get a new link
        </Link>
      </AuthForm>
    )
  }
  return (
    <AuthForm title="Choose a new password" onSubmit={() => reset.mutate()} footer={footer}>
      {reset.isSuccess ? (
        <Notice tone="success">
          Your password has been changed, and all your other sessions have ended. Sign in with the new one.
        </Notice>
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
          <DisconnectApps checked={disconnectApps} onChange={setDisconnectApps} />
          <ErrorNotice error={reset.error} />
          <Button type="submit" variant="primary" busy={reset.isPending}>
            Change password
          </Button>
        </>
      )}
    </AuthForm>
  )
}
