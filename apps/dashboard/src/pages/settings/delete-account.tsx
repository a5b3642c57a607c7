import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { deleteAccount } from '../../api/account.ts'
import { forgetAccount } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

export function DeleteAccount({ email }: { email: string }) {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useConfirmedMutation(deleteAccount, async () => {
    forgetAccount(queries)
    await navigate({ to: '/' })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate(typed)
  }
  return (
    <>
      <Dialog
        title="Delete your account?"
        description={`Everything is deleted, and nobody can bring it back. Type ${email} to confirm.`}
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
          {remove.error && <Notice tone="danger">{remove.error.message}</Notice>}
          <Button
            type="submit"
            variant="danger"
            busy={remove.isPending}
            disabled={typed.toLowerCase() !== email.toLowerCase()}
          >
            Delete everything
          </Button>
        </form>
      </Dialog>
      {remove.confirm}
    </>
  )
}
