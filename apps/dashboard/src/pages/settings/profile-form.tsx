import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountQuery, rename } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

export function ProfileForm({ name: current }: { name: string }) {
  const [name, setName] = useState(current)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => rename(name.trim()),
    onSuccess: (account) => queries.setQueryData(accountQuery.queryKey, account),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Name"
        required
        maxLength={80}
        autoComplete="name"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice tone="success">Saved.</Notice>}
      <Button type="submit" className="self-start" busy={save.isPending} disabled={name.trim() === current}>
        Save name
      </Button>
    </form>
  )
}
