import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountQuery, limitMonth } from '../../api/account.ts'
import { currentUsageQuery } from '../../api/usage.ts'
import { formatDay, formatUsd } from '../../format.ts'
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
      return queries.invalidateQueries({ queryKey: currentUsageQuery.queryKey })
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
        hint="Summaries that do not fit are left out; the transcript is always delivered. With 0, the language model is never called."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SpentThisMonth />
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice tone="success">Saved.</Notice>}
      <Button type="submit" className="self-start" busy={save.isPending} disabled={text.trim() === toText(limit)}>
        Save limit
      </Button>
    </form>
  )
}

/** What counts toward the limit so far. */
function SpentThisMonth() {
  const { data } = useQuery(currentUsageQuery)
  if (!data) return null
  const { used_usd, reserved_usd, reset_at } = data.spending.month
  return (
    <p className="text-sm text-muted">
      {`Used this month: ${formatUsd(used_usd)}`}
      {reserved_usd > 0 && `, and ${formatUsd(reserved_usd)} set aside for running calls`}
      {`. Resets on ${formatDay(reset_at)}.`}
    </p>
  )
}
