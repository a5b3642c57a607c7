import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { appsQuery, sessionsQuery } from '../../api/account.ts'
import { callAuth } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { DisconnectApps } from '../../ui/disconnect-apps.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Changes the password. Someone without one gets a link to set it, which proves that the address is theirs. */
export function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  return hasPassword ? <ChangePassword /> : <SetPassword email={email} />
}

function ChangePassword() {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [disconnectApps, setDisconnectApps] = useState(true)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: () => callAuth('POST', '/change-password', { currentPassword, newPassword, disconnectApps }),
    async onSuccess() {
      setCurrent('')
      setNew('')
      await Promise.all([queries.invalidateQueries(sessionsQuery), queries.invalidateQueries(appsQuery)])
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={currentPassword}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        minLength={10}
        hint="At least 10 characters."
        value={newPassword}
        onChange={(event) => setNew(event.target.value)}
      />
      <DisconnectApps checked={disconnectApps} onChange={setDisconnectApps} />
      <ErrorNotice error={change.error} />
      {change.isSuccess && <Notice tone="success">Your password has been changed.</Notice>}
      <Button type="submit" className="self-start" busy={change.isPending}>
        Change password
      </Button>
    </form>
  )
}

function SetPassword({ email }: { email: string }) {
  const send = useMutation({
    mutationFn: () => callAuth('POST', '/request-password-reset', { email, redirectTo: '/reset-password' }),
  })
  return (
    <>
      <p className="text-sm text-muted">You sign in without a password.</p>
      <ErrorNotice error={send.error} />
      {send.isSuccess && <Notice tone="success">A link to set one is on its way to {email}.</Notice>}
      <Button className="self-start" busy={send.isPending} onClick={() => send.mutate()}>
        Set a password
      </Button>
    </>
  )
}
