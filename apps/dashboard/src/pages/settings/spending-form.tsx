import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountQuery, limitMonth } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

const toText = (limit: number | null): string => (limit === null ? '' : String(limit))

/** Sets what the language model may cost in a month. An empty field is no limit. */
export function SpendingForm({ limit }: { limit: number | null }) {
  const [text, setText] = useState(toText(limit))
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => limitMonth(text.trim() === '' ? null : Number(text)),
    onSuccess: (account) => {
      queries.setQueryData(accountQuery.queryKey, account)
      return queries.invalidateQueries({ queryKey: ['usage', 'current'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label="Monthly limit in US dollars"
        isOptional
        type="number"
        min={0}
        max={1_000_000}
        step="any"
        inputMode="decimal"
        placeholder="No limit"
        hint="What does not fit is left out, and the transcript is delivered. Nothing is called once the limit is used up; 0 stops all calls."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice tone="success">Saved.</Notice>}
      <Button type="submit" className="self-start" busy={save.isPending} disabled={text.trim() === toText(limit)}>
        Save limit
      </Button>
    </form>
  )
}
