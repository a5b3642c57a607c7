import type { JobStatus } from '@subtext/sdk'
import { JOB_STATUSES } from '@subtext/sdk/vocabulary'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { subtext } from '../api/client.ts'
import { CURSOR_PAGES } from '../api/cursor-pages.ts'
import { formatCount, formatNumber } from '../format.ts'
import { ExportMenu } from '../ui/export-menu.tsx'
import { JobListView } from '../ui/job-list.tsx'
import { LoadMore } from '../ui/load-more.tsx'
import { EmptyState, PageHeader } from '../ui/page.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { listChoices, nameStatus } from '../vocabulary.ts'

const STATUSES = listChoices(JOB_STATUSES, nameStatus)

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
      <PageHeader
        title="Jobs"
        description="Every video you have submitted, newest first."
        actions={<ExportMenu path="/library/export" label="Export library" />}
      />
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchField
          label="Search jobs"
          placeholder="Search by title, URL or reference"
          value={search}
          onChange={setSearch}
          className="grow"
        />
        <Select label="Status" options={STATUSES} value={status} onChange={setStatus} />
      </div>
      <QueryView query={pages}>
        {({ pages: loaded }) => {
          const all = loaded.flatMap(({ items }) => items)
          const total = all.length
          const jobs = all.filter(({ video_title = '', video_url, client_reference = '' }) =>
            `${video_title} ${video_url} ${client_reference}`.toLowerCase().includes(wanted),
          )
          return (
            <div>
              {wanted && (
                <p role="status" className="mb-3 text-sm text-muted">
                  {describeMatches(jobs.length, total, pages.hasNextPage)}
                </p>
              )}
              {jobs.length > 0 ? (
                <JobListView jobs={jobs} />
              ) : (
                <EmptyState title={wanted || status ? 'No job matches' : 'No jobs yet'}>
                  <Advice isSearch={wanted !== ''} isFiltered={status !== ''} hasMore={pages.hasNextPage} />
                </EmptyState>
              )}
              <LoadMore pages={pages} />
            </div>
          )
        }}
      </QueryView>
    </>
  )
}

const count = (number: number, one: string, more: string): string =>
  number === 0 ? `No ${more}` : formatCount(number, one, more)

/** Shows how many of the jobs match, and whether there are more that have not been searched. */
const describeMatches = (matches: number, searched: number, hasMore: boolean): string =>
  hasMore
    ? `${count(matches, 'match', 'matches')} in your latest ${formatNumber(searched)} jobs. Load more to search further back.`
    : `${count(matches, 'match', 'matches')} in ${count(searched, 'job', 'jobs')}.`

/** Suggests what to do if no job is shown. */
function Advice({ isSearch, isFiltered, hasMore }: { isSearch: boolean; isFiltered: boolean; hasMore: boolean }) {
  if (isSearch) return hasMore ? 'Older jobs have not been loaded yet.' : 'Try fewer words, or a part of the URL.'
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
