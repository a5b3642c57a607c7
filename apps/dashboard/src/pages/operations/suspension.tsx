import type { OperatedAccountDetails } from '@subtext/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { restoreAccount, suspendAccount } from '../../api/operations.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { useAccountRefresh } from './use-account-refresh.ts'

/** Suspends an account, or restores it. */
export function Suspension({ account }: { account: OperatedAccountDetails }) {
  const refresh = useAccountRefresh(account.id)
  const restore = useMutation({ mutationFn: () => restoreAccount(account.id), onSuccess: refresh })
  if (account.suspended_at === null) return <Suspend account={account} />
  return (
    <>
      <ErrorNotice error={restore.error} />
      <Button variant="primary" busy={restore.isPending} onClick={() => restore.mutate()} className="self-start">
        Restore account
      </Button>
    </>
  )
}

function Suspend({ account: { id, email } }: { account: OperatedAccountDetails }) {
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const refresh = useAccountRefresh(id)
  const suspend = useMutation({
    mutationFn: () => suspendAccount(id, reason.trim()),
    async onSuccess(account) {
      setOpen(false)
      await refresh(account)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    suspend.mutate()
  }
  return (
    <Dialog
      title={`Suspend ${email}?`}
      description="Within a second, its sessions end and its keys, connected applications and links are refused. Jobs that were accepted are processed."
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="danger" className="self-start">
          Suspend account
        </Button>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Reason"
          maxLength={500}
          hint="Optional. It is recorded, and the owner finds it in the export of the account."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <ErrorNotice error={suspend.error} />
        <Button type="submit" variant="dangerous" busy={suspend.isPending}>
          Suspend account
        </Button>
      </form>
    </Dialog>
  )
}
