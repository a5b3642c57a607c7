import type { Job, JobStatus } from '@subtext/sdk'
import { JOB_STATUSES } from '@subtext/sdk/vocabulary'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { subtext } from '../../api/client.ts'
import { CURSOR_PAGES } from '../../api/cursor-pages.ts'
import { formatCount } from '../../format.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { JobListView } from '../../ui/job-list.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { listChoices, nameStatus } from '../../vocabulary.ts'
import { SelectionBar } from './selection-bar.tsx'

const STATUSES = listChoices(JOB_STATUSES, nameStatus)

export function JobsPage() {
  const [status, setStatus] = useState<JobStatus | ''>('')
  const [search, setSearch] = useState('')
  const q = useDelayed(search.trim()) || undefined
  const pages = useInfiniteQuery({
    queryKey: ['jobs', 'all', status, q],
    queryFn: ({ pageParam, signal }) =>
      subtext.videos.list({ status: status || undefined, q }, { signal }).page(pageParam),
    ...CURSOR_PAGES,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title="Jobs"
        description="Every video you have submitted, newest first."
        actions={<ExportMenu path="/library/export" label="Export library" />}
      />
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchField
          label="Search jobs"
          placeholder="Search by title, channel or ID"
          maxLength={200}
          value={search}
          onChange={setSearch}
          className="grow"
        />
        <Select label="Status" options={STATUSES} value={status} onChange={setStatus} />
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => (
          <div>
            {q !== undefined && (
              <p role="status" className="mb-3 text-sm text-muted">
                {describeMatches(loaded[0]?.pagination.total ?? 0)}
              </p>
            )}
            <Jobs jobs={loaded.flatMap(({ items }) => items)} isSearch={q !== undefined} isFiltered={status !== ''} />
            <LoadMore pages={pages} />
          </div>
        )}
      </QueryView>
    </>
  )
}

const describeMatches = (matches: number): string =>
  matches === 0 ? 'No job matches.' : `${formatCount(matches, 'job matches', 'jobs match')}.`

interface JobsProps {
  jobs: Job[]
  isSearch: boolean
  isFiltered: boolean
}

/** The jobs, and what can be done with those that are selected. One that is not shown any more is not selected any more. */
function Jobs({ jobs, isSearch, isFiltered }: JobsProps) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  if (jobs.length === 0) {
    return (
      <EmptyState title={isSearch || isFiltered ? 'No job matches' : 'No jobs yet'}>
        <Advice isSearch={isSearch} isFiltered={isFiltered} />
      </EmptyState>
    )
  }
  const toggle = (jobId: string): void => {
    const next = new Set(selected)
    if (!next.delete(jobId)) next.add(jobId)
    setSelected(next)
  }
  const chosen = jobs.filter(({ job_id }) => selected.has(job_id))
  return (
    <>
      <SelectionBar jobs={jobs} chosen={chosen} onSelect={(ids) => setSelected(new Set(ids))} />
      <JobListView jobs={jobs} selection={{ selected, toggle }} />
    </>
  )
}

/** Suggests what to do if no job is shown. */
function Advice({ isSearch, isFiltered }: Pick<JobsProps, 'isSearch' | 'isFiltered'>) {
  if (isSearch) {
    return (
      <>
        Try fewer words.{' '}
        <Link to="/search" className="text-accent underline underline-offset-4">
          Search what was said
        </Link>
      </>
    )
  }
  if (isFiltered) return 'Choose another status.'
  return (
    <>
      A job turns a video into text.{' '}
      <Link to="/" className="text-accent underline underline-offset-4">
        Process your first video
      </Link>
    </>
  )
}
