import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { accountQuery, moveToTimeZone } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LabeledSelect } from '../../ui/select.tsx'

const nameZone = (zone: string): string => zone.replaceAll('_', ' ')
const OWN = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Chooses the time zone in whose morning digests are sent. */
export function TimeZoneForm({ zone: current }: { zone: string }) {
  const [zone, setZone] = useState(current)
  const queries = useQueryClient()
  const save = useMutation({
    mutationFn: () => moveToTimeZone(zone),
    onSuccess: (account) => queries.setQueryData(accountQuery.queryKey, account),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  // Some names of zones are those of others that are listed.
  const zones = [...new Set(['UTC', current, OWN, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <LabeledSelect
        label="Zone"
        options={zones.toSorted().map((name) => [name, nameZone(name)] as const)}
        value={zone}
        onChange={setZone}
      />
      {zone !== OWN && (
        <p className="text-sm text-muted">
          This computer is in {nameZone(OWN)}.{' '}
          <button type="button" onClick={() => setZone(OWN)} className="text-accent underline-offset-4 hover:underline">
            Use that
          </button>
        </p>
      )}
      <ErrorNotice error={save.error} />
      {save.isSuccess && <Notice tone="success">Saved.</Notice>}
      <Button type="submit" className="self-start" busy={save.isPending} disabled={zone === current}>
        Save time zone
      </Button>
    </form>
  )
}
