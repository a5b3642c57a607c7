import type { OperatedAccountDetails } from '@subtext/sdk'
import { type FormEvent, useState } from 'react'
import { createSupportLink } from '../../api/operations.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretValue } from '../../ui/secret-value.tsx'
import { useAccountRefresh } from './use-account-refresh.ts'

/** Creates a link with which the operator sees the account. */
export function SupportLink({
  account: { id, email, suspended_at, email_verified },
}: {
  account: OperatedAccountDetails
}) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const refresh = useAccountRefresh(id)
  const create = useConfirmedMutation(
    (why: string) => createSupportLink(id, why),
    () => refresh(),
  )
  const change = (open: boolean) => {
    setOpen(open)
    if (!open) create.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(reason.trim())
  }
  if (suspended_at) return <p className="text-sm text-muted">A suspended account has to be restored first.</p>
  if (!email_verified) return <p className="text-sm text-muted">Nobody has signed in to this account yet.</p>
  return (
    <Dialog
      title={`See the account of ${email}`}
      description="You see what the owner sees, for an hour, and can change nothing."
      open={isOpen}
      onOpenChange={change}
      trigger={<Button className="self-start">Create a link</Button>}
    >
      {create.data ? (
        <>
          <SecretValue label="Link" value={create.data.url} />
          <p className="text-sm text-muted">
            It works once, for 15 minutes, and signs you out of your own account: open it in a private window.
          </p>
          <Button onClick={() => change(false)}>Done</Button>
        </>
      ) : (
        <form onSubmit={submit} className="flex flex-col gap-4">
          <Field
            label="Reason"
            maxLength={500}
            hint="Optional. It is recorded, and the owner finds it in the export of the account."
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <ErrorNotice error={create.error} />
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create a link
          </Button>
        </form>
      )}
      {create.confirm}
    </Dialog>
  )
}
