import type { JobStatus } from '@subtext/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { subtext } from '../api/client.ts'
import { CURSOR_PAGES } from '../api/cursor-pages.ts'
import { JobListView } from '../ui/job-list.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { Select } from '../ui/select.tsx'

const STATUSES: [JobStatus | '', string][] = [
  ['', 'All'],
  ['queued', 'Queued'],
  ['processing', 'Processing'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
]

export function JobsPage() {
  const [status, setStatus] = useState<JobStatus | ''>('')
  const [search, setSearch] = useState('')
  const pages = useInfiniteQuery({
    queryKey: ['jobs', 'all', status],
    queryFn: ({ pageParam }) => subtext.videos.list({ status: status || undefined }).page(pageParam),
    ...CURSOR_PAGES,
  })
  const wanted = search.trim().toLowerCase()
  return (
    <>
      <PageHeader title="Jobs" description="Every video that you have submitted, newest first." />
      <div className="mb-4 flex flex-wrap gap-3">
        <label className="grow">
          <span className="sr-only">Search jobs</span>
          <input
            type="search"
            placeholder="Search by title or URL"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="h-10 w-full rounded-lg border border-line bg-surface px-3 text-sm placeholder:text-muted"
          />
        </label>
        <Select label="Status" options={STATUSES} value={status} onChange={setStatus} />
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const jobs = loaded
            .flatMap(({ items }) => items)
            .filter(({ video_title = '', video_url }) => `${video_title} ${video_url}`.toLowerCase().includes(wanted))
          return (
            <div className="flex flex-col items-center gap-4">
              <div className="w-full">
                {jobs.length > 0 ? (
                  <JobListView jobs={jobs} />
                ) : (
                  <EmptyState title={wanted || status ? 'No job matches' : 'No jobs yet'}>
                    {wanted
                      ? 'The search covers the jobs that have been loaded.'
                      : 'Paste the URL of a video on the home page.'}
                  </EmptyState>
                )}
              </div>
              <LoadMore pages={pages} />
            </div>
          )
        }}
      </QueryView>
    </>
  )
}
