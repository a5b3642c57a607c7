import { type FormEvent, useState } from 'react'
import { deleteAccount } from '../../api/account.ts'
import { leaveAccount } from '../../api/session-sync.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'

export function DeleteAccount({ email }: { email: string }) {
  const [typed, setTyped] = useState('')
  const remove = useConfirmedMutation(deleteAccount, leaveAccount)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate(typed)
  }
  return (
    <Dialog
      title="Delete your account?"
      description={`This deletes everything in your account and cannot be undone. Type ${email} to confirm.`}
      trigger={
        <Button variant="danger" className="self-start">
          Delete account
        </Button>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Email address"
          required
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <ErrorNotice error={remove.error} />
        <Button
          type="submit"
          variant="dangerous"
          busy={remove.isPending}
          disabled={typed.toLowerCase() !== email.toLowerCase()}
        >
          Delete everything
        </Button>
      </form>
      {remove.confirm}
    </Dialog>
  )
}
