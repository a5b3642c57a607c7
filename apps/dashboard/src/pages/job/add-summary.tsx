import type { Job, SummaryMode } from '@subtext/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { subtext } from '../../api/client.ts'
import type { Summaries } from '../../api/jobs.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { MODES } from '../../vocabulary.ts'

interface AddSummaryProps {
  job: Job
  written: Summaries
}

/** Adds summaries to a finished job: a new job with the same transcript, to which the page moves on. */
export function AddSummary({ job, written }: AddSummaryProps) {
  const { data: account } = useQuery(accountQuery)
  const missing = MODES.filter(([mode]) => written[mode] === undefined)
  const isIncluded = (mode: SummaryMode) => account?.summary_modes.includes(mode) ?? true
  const [chosen, setChosen] = useState<SummaryMode[]>([])
  const queries = useQueryClient()
  const navigate = useNavigate()
  const add = useMutation({
    mutationFn: () => subtext.videos.derive(job.job_id, { summary_modes: chosen }),
    async onSuccess({ job_id }) {
      await queries.invalidateQueries({ queryKey: ['jobs'] })
      await navigate({ to: '/jobs/$jobId', params: { jobId: job_id } })
    },
  })
  const toggle = (mode: SummaryMode) =>
    setChosen((modes) => (modes.includes(mode) ? modes.filter((other) => other !== mode) : [...modes, mode]))
  if (missing.length === 0) return null
  return (
    <Dialog
      title="Add a summary"
      description="The transcript is there already, so this uses no video of your quota. The result is a new job, with the summaries that you have and the new ones."
      trigger={
        <Button variant="quiet">
          <Plus className="size-4" aria-hidden="true" />
          Add a summary
        </Button>
      }
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Summaries to add</legend>
        {missing.map(([mode, name]) => (
          <label key={mode} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2.5 text-sm">
            <input
              type="checkbox"
              checked={chosen.includes(mode)}
              disabled={!isIncluded(mode)}
              onChange={() => toggle(mode)}
              className="size-4 accent-accent"
            />
            {name}
            {!isIncluded(mode) && <span className="ml-auto text-xs text-muted">Plus plan</span>}
          </label>
        ))}
      </fieldset>
      {add.error && <Notice tone="danger">{add.error.message}</Notice>}
      <Button variant="primary" disabled={chosen.length === 0} busy={add.isPending} onClick={() => add.mutate()}>
        Write {chosen.length > 1 ? 'summaries' : 'summary'}
      </Button>
    </Dialog>
  )
}
