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

/** Has lists of jobs read again when they are shown next. */
export const outdateJobLists = (queries: QueryClient) =>
  queries.invalidateQueries({ queryKey: LISTS_KEY, refetchType: 'none' })

/** Shows the new state of a job in all lists, without reading them again. */
export function updateInLists(queries: QueryClient, job: Job): void {
  const update = <P extends JobPage>(page: P): P =>
    page.items.some(({ job_id }) => job_id === job.job_id)
      ? { ...page, items: page.items.map((known) => (known.job_id === job.job_id ? job : known)) }
      : page
  queries.setQueriesData<JobPage | InfiniteData<JobPage>>({ queryKey: LISTS_KEY }, (list) => {
    if (list === undefined) return undefined
    return 'pages' in list ? { ...list, pages: list.pages.map(update) } : update(list)
  })
}

/** Returns a job from the lists that have been read. */
export function findInLists(queries: QueryClient, jobId: string): Job | undefined {
  const lists = queries.getQueriesData<JobPage | InfiniteData<JobPage>>({ queryKey: LISTS_KEY })
  return lists
    .flatMap(([, list]) => (list === undefined ? [] : 'pages' in list ? list.pages : [list]))
    .flatMap(({ items }) => items)
    .find(({ job_id }) => job_id === jobId)
}
