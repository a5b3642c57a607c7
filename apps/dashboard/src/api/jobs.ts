import {
  type DefaultResult,
  type Job,
  type JobStatus,
  SubtextError,
  type SummaryMode,
  type Warning,
} from '@subtext/sdk'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createClient, subtext } from './client.ts'

export const hasEnded = ({ status }: { status: JobStatus }): boolean => status === 'completed' || status === 'failed'

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => subtext.videos.status(jobId, { signal }),
    retry: (count, error) => count < 2 && !(error instanceof SubtextError && error.status === 404),
  })

export const latestJobsQuery = (limit: number, status?: JobStatus) =>
  queryOptions({
    queryKey: ['jobs', { limit, status }],
    queryFn: () => subtext.videos.list({ limit, status }).page(),
    // New jobs may have been submitted elsewhere. Polling would use up the requests of a free account.
    refetchOnWindowFocus: true,
  })

export interface ResultWithWarnings {
  result: DefaultResult
  /** What was done otherwise than requested. */
  warnings: Warning[]
}

/** The result of a completed job, its texts as Markdown. It never changes. */
export const resultQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['result', jobId],
    async queryFn({ signal }): Promise<ResultWithWarnings> {
      let warnings: Warning[] = []
      const client = createClient((info) => {
        warnings = info.warnings
      })
      return { result: await client.videos.result(jobId, { signal }), warnings }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The lines of the transcript of a completed job. */
export const segmentsQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['segments', jobId],
    queryFn: async ({ signal }) => (await subtext.videos.result(jobId, { signal, format: 'json' })).transcript.segments,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The summaries of a job that have been written so far, as Markdown. */
export type Summaries = Partial<Record<SummaryMode, string>>

const summariesKey = (jobId: string) => ['summaries', jobId]

/**
 * Returns a job and the summaries that are finished, and follows the job until it has ended. The event stream resumes by itself
 * when it breaks.
 */
export function useLiveJob(jobId: string) {
  const queries = useQueryClient()
  const job = useQuery(jobQuery(jobId))
  const summaries = useQuery<Summaries>({ queryKey: summariesKey(jobId), queryFn: () => ({}), staleTime: Infinity })
  const isLive = job.data !== undefined && !hasEnded(job.data)
  useEffect(() => {
    if (!isLive) return
    const controller = new AbortController()
    const setJob = (data: Job) => queries.setQueryData(jobQuery(jobId).queryKey, data)
    subtext.videos
      .waitFor(jobId, {
        signal: controller.signal,
        onProgress: setJob,
        onSummary: ({ mode, text }) =>
          queries.setQueryData(summariesKey(jobId), (known: Summaries = {}) => ({ ...known, [mode]: text })),
      })
      .then((ended) => {
        setJob(ended)
        return queries.invalidateQueries({ queryKey: ['jobs'] })
      })
      .catch(() => undefined) // The page was left, or the service is away: the next visit asks again.
    return () => controller.abort()
  }, [isLive, jobId, queries])
  return { job, summaries: summaries.data ?? {} }
}
