import type { Job } from '@subtext/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { deleteJobs } from '../../api/delete-jobs.ts'
import { hasEnded } from '../../api/jobs.ts'
import { formatCount } from '../../format.ts'
import { BUTTON_LINK } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { hasNoUrl } from '../job/moments.ts'
import { ExportSelection } from './export-selection.tsx'

interface SelectionBarProps {
  /** The jobs that are shown. */
  jobs: Job[]
  /** Those of them that are selected. */
  chosen: Job[]
  onSelect: (jobIds: string[]) => void
}

/** Selects all jobs that are shown, and exports, deletes or repeats those that are selected. */
export function SelectionBar({ jobs, chosen, onSelect }: SelectionBarProps) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: (selected: Job[]) => deleteJobs(queries, selected),
    onSuccess: ({ left }) => onSelect(left),
  })
  const ended = chosen.filter(hasEnded)
  const [completed, ...others] = chosen.filter(({ status }) => status === 'completed')
  const [first] = chosen
  const count = formatCount(ended.length, 'job', 'jobs')
  return (
    <>
      <div className="mb-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <SelectAll jobs={jobs} chosen={chosen} onSelect={onSelect} />
        {first && chosen.length === 1 && !hasNoUrl(first.video_id) && (
          <Link to="/" search={{ url: first.video_url }} className={BUTTON_LINK}>
            Process again
          </Link>
        )}
        {completed && <ExportSelection jobs={[completed, ...others]} />}
        {ended.length > 0 && (
          <ConfirmButton
            label="Delete"
            title={`Delete ${count}?`}
            description="Results, conversations and infographics are deleted for good. Usage and receipts stay."
            busy={remove.isPending}
            onConfirm={() => remove.mutate(ended)}
          />
        )}
      </div>
      {remove.data?.error && (
        <div className="mb-3">
          <ErrorNotice error={remove.data.error} />
        </div>
      )}
    </>
  )
}

function SelectAll({ jobs, chosen, onSelect }: SelectionBarProps) {
  const box = useRef<HTMLInputElement>(null)
  const isAll = chosen.length === jobs.length
  useEffect(() => {
    if (box.current) box.current.indeterminate = chosen.length > 0 && !isAll
  }, [chosen.length, isAll])
  return (
    <div className="flex h-9 items-center gap-3 ps-4 pe-2">
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all"
        checked={isAll}
        onChange={() => onSelect(isAll ? [] : jobs.map(({ job_id }) => job_id))}
        className="size-4 accent-accent"
      />
      <span role="status" className="text-muted">
        {chosen.length === 0 ? 'None selected' : `${chosen.length} selected`}
      </span>
    </div>
  )
}
