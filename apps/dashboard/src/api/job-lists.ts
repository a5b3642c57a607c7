import type { Job } from '@subtext/sdk'
import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { subtext } from './client.ts'

interface JobPage {
  items: Job[]
}

/** Lists of jobs, by page or whole. */
const LISTS_KEY = ['jobs']

export const latestJobsQuery = (limit: number) =>
  queryOptions({
    queryKey: [...LISTS_KEY, { limit }],
    queryFn: ({ signal }) => subtext.videos.list({ limit }, { signal }).page(),
    // New jobs may have been submitted elsewhere. Polling would use up the requests of a free account.
    refetchOnWindowFocus: true,
  })

/** Marks the lists of jobs as stale, so that they are read again when they are next shown. */
export const outdateJobLists = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: LISTS_KEY, refetchType: 'none' })

/** Reads the lists of jobs that are shown again. */
export const refreshJobLists = (queries: QueryClient) => queries.invalidateQueries({ queryKey: LISTS_KEY })

type JobQueryData = JobPage | InfiniteData<JobPage>

const listPages = (list: JobQueryData | undefined): JobPage[] =>
  list === undefined ? [] : 'pages' in list ? list.pages : [list]

/** Updates a job in all lists that contain it, without reading them again. */
export function updateInLists(queries: QueryClient, job: Job): void {
  const has = ({ items }: JobPage): boolean => items.some(({ job_id }) => job_id === job.job_id)
  const update = <P extends JobPage>(page: P): P =>
    has(page) ? { ...page, items: page.items.map((known) => (known.job_id === job.job_id ? job : known)) } : page
  for (const { queryKey, state } of queries.getQueryCache().findAll({ queryKey: LISTS_KEY })) {
    const list = state.data as JobQueryData | undefined
    if (!list || !listPages(list).some(has)) continue
    const updated = 'pages' in list ? { ...list, pages: list.pages.map(update) } : update(list)
    const { isInvalidated, dataUpdatedAt } = state
    queries.setQueryData(queryKey, updated, { updatedAt: dataUpdatedAt })
    // The list may still lack jobs that have been submitted since.
    if (isInvalidated) void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  }
}

/** Returns a job from the lists that have been read. */
export function findInLists(queries: QueryClient, jobId: string): Job | undefined {
  return queries
    .getQueriesData<JobQueryData>({ queryKey: LISTS_KEY })
    .flatMap(([, list]) => listPages(list))
    .flatMap(({ items }) => items)
    .find(({ job_id }) => job_id === jobId)
}
