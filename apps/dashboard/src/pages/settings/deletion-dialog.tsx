import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'

interface DeletionDialogProps {
  title: string
  description: string
  /** What has to be typed. */
  email: string
  remove: { mutate: (typed: string) => void; isPending: boolean; error: Error | null; confirm: ReactNode }
}

/** A button that deletes an account, once its address was typed. */
export function DeletionDialog({ title, description, email, remove }: DeletionDialogProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate(typed)
  }
  return (
    <Dialog
      title={title}
      description={description}
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
