import Plus from 'virtual:icons/plus'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createKey, keysQuery } from '../../api/account.ts'
import { serviceNow } from '../../service-clock.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirmedMutation } from '../../ui/confirm-identity.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { SecretValue } from '../../ui/secret-value.tsx'
import { Select } from '../../ui/select.tsx'

export function CreateKey() {
  const [isOpen, setOpen] = useState(false)
  const queries = useQueryClient()
  const create = useConfirmedMutation(createKey, () => queries.invalidateQueries(keysQuery))
  const change = (open: boolean) => {
    setOpen(open)
    if (!open) create.reset()
  }
  return (
    <Dialog
      title={create.data ? 'Your new key' : 'Create an API key'}
      description={create.data ? "Copy it now. You won't see it again." : undefined}
      trigger={
        <Button variant="primary">
          <Plus className="size-4" aria-hidden="true" />
          Create key
        </Button>
      }
      open={isOpen}
      onOpenChange={change}
    >
      {create.data ? (
        <>
          <SecretValue label="API key" value={create.data.key} />
          <Button onClick={() => change(false)}>Done</Button>
        </>
      ) : (
        <KeyForm busy={create.isPending} error={create.error} onSubmit={create.mutate} />
      )}
      {create.confirm}
    </Dialog>
  )
}

interface KeyFormProps {
  busy: boolean
  error: Error | null
  onSubmit: (key: { name: string; scopes: ('read' | 'write')[]; expires_at?: string }) => void
}

const DAY_MS = 86_400_000
const LIFETIMES = [
  ['', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const
type Lifetime = (typeof LIFETIMES)[number][0]

function KeyForm({ busy, error, onSubmit }: KeyFormProps) {
  const [name, setName] = useState('')
  const [isReadOnly, setReadOnly] = useState(false)
  const [days, setDays] = useState<Lifetime>('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit({
      name: name.trim(),
      scopes: isReadOnly ? ['read'] : ['read', 'write'],
      ...(days !== '' && { expires_at: new Date(serviceNow() + Number(days) * DAY_MS).toISOString() }),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        required
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.target.value)}
        placeholder="Nightly import"
        hint="What the key is for."
      />
      <label className="flex items-center gap-3 text-sm">
        <input
          type="checkbox"
          checked={isReadOnly}
          onChange={(event) => setReadOnly(event.target.checked)}
          className="size-4 accent-accent"
        />
        Read only: it cannot submit, cancel or change anything
      </label>
      <Select label="Expires" options={LIFETIMES} value={days} onChange={setDays} className="justify-between" />
      <ErrorNotice error={error} />
      <Button type="submit" variant="primary" busy={busy}>
        Create key
      </Button>
    </form>
  )
}
