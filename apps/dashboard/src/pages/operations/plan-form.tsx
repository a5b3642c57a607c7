import type { OperatedAccountDetails, OperatedAccountUpdate, Plan } from '@subtext/sdk'
import { PLAN_NAMES } from '@subtext/sdk/vocabulary'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { updateOperatedAccount } from '../../api/operations.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { nameStatus } from '../../vocabulary.ts'
import { useAccountRefresh } from './use-account-refresh.ts'

const PLANS: readonly (readonly [Plan, string])[] = PLAN_NAMES.map((plan) => [plan, nameStatus(plan)])

const toText = (quota: number | null): string => (quota === null ? '' : String(quota))
const toQuota = (text: string): number | null => (text.trim() === '' ? null : Number(text))

/** The plan of an account, and quotas of its own. */
export function PlanForm({ account }: { account: OperatedAccountDetails }) {
  const refresh = useAccountRefresh(account.id)
  const save = useMutation({
    mutationFn: (changes: OperatedAccountUpdate) => updateOperatedAccount(account.id, changes),
    onSuccess: refresh,
  })
  return (
    <>
      {/* Begins anew when another operator has changed the account. */}
      <Fields
        key={JSON.stringify([account.plan, account.own_quotas])}
        account={account}
        busy={save.isPending}
        onSave={save.mutate}
      />
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice tone="success">Saved.</Notice>}
    </>
  )
}

interface FieldsProps {
  account: OperatedAccountDetails
  busy: boolean
  onSave: (changes: OperatedAccountUpdate) => void
}

function Fields({ account, busy, onSave }: FieldsProps) {
  const [plan, setPlan] = useState(account.plan)
  const [daily, setDaily] = useState(toText(account.own_quotas.daily))
  const [monthly, setMonthly] = useState(toText(account.own_quotas.monthly))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave({ plan, quotas: { daily: toQuota(daily), monthly: toQuota(monthly) } })
  }
  const field = {
    type: 'number',
    min: 0,
    max: 1_000_000_000,
    inputMode: 'numeric',
    placeholder: 'As in the plan',
  } as const
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Select label="Plan" options={PLANS} value={plan} onChange={setPlan} className="self-start" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Videos per day" {...field} value={daily} onChange={(event) => setDaily(event.target.value)} />
        <Field
          label="Videos per month"
          {...field}
          value={monthly}
          onChange={(event) => setMonthly(event.target.value)}
        />
      </div>
      <Button type="submit" variant="primary" busy={busy} className="self-start">
        Save
      </Button>
    </form>
  )
}
