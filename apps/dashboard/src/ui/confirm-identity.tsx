import { SubtextError } from '@subtext/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { accountQuery } from '../api/account.ts'
import { callAuth } from '../api/client.ts'
import { BUTTON_LINK, Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './error-notice.tsx'
import { Field } from './field.tsx'

/** Whether the service requires a recent sign-in. */
const needsConfirmation = (error: unknown): boolean =>
  error instanceof SubtextError && error.code === 'REAUTHENTICATION_REQUIRED'

/**
 * Runs something that needs a recent sign-in. If the last one was too long ago, a dialog asks for the password, and it runs
 * again; people without a password are asked to sign in again. Returns the function that runs it, and the dialog.
 */
export function useConfirmedMutation<T, V>(run: (input: V) => Promise<T>, onSuccess?: (result: T) => unknown) {
  const [pending, setPending] = useState<V | null>(null)
  const mutation = useMutation({
    mutationFn: run,
    onSuccess,
    onError: (error, input) => {
      if (needsConfirmation(error)) setPending(input)
    },
  })
  const confirm = (
    <ConfirmDialog
      open={pending !== null}
      onClose={() => setPending(null)}
      onConfirmed={() => {
        if (pending !== null) mutation.mutate(pending)
        setPending(null)
      }}
    />
  )
  const error = needsConfirmation(mutation.error) ? null : mutation.error
  return {
    mutate: mutation.mutate,
    reset: mutation.reset,
    isPending: mutation.isPending,
    data: mutation.data,
    error,
    confirm,
  }
}

interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  onConfirmed: () => void
}

function ConfirmDialog({ open, onClose, onConfirmed }: ConfirmDialogProps) {
  const { data: account } = useQuery(accountQuery)
  const hasPassword = account?.user.sign_in_ways.includes('password') ?? true
  return (
    <Dialog
      title="Confirm your identity"
      description="You last signed in more than ten minutes ago."
      open={open}
      onOpenChange={(next) => !next && onClose()}
    >
      {hasPassword ? <PasswordCheck onConfirmed={onConfirmed} /> : <SignInAgain />}
    </Dialog>
  )
}

/** Leads to the sign-in page, and from there back here. */
function SignInAgain() {
  const next = useRouterState({ select: ({ location }) => location.href })
  return (
    <Link to="/sign-in" search={{ next }} className={BUTTON_LINK}>
      Sign in again
    </Link>
  )
}

function PasswordCheck({ onConfirmed }: Pick<ConfirmDialogProps, 'onConfirmed'>) {
  const [password, setPassword] = useState('')
  const verify = useMutation({
    mutationFn: () => callAuth('POST', '/verify-password', { password }),
    onSuccess() {
      setPassword('')
      onConfirmed()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    verify.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Your password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <ErrorNotice error={verify.error} />
      <Button type="submit" variant="primary" busy={verify.isPending}>
        Confirm
      </Button>
    </form>
  )
}
