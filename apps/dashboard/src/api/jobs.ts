import {
  type DefaultResult,
  type Job,
  type JobStatus,
  type SubmittedJob,
  SubtextError,
  type SummaryMode,
  type Warning,
} from '@subtext/sdk'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createClient, subtext } from './client.ts'
import { findInLists, outdateJobLists, updateInLists } from './job-lists.ts'

export const hasEnded = ({ status }: { status: JobStatus }): boolean => status === 'completed' || status === 'failed'

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId],
    queryFn: ({ signal }) => subtext.videos.status(jobId, { signal }),
    // A job that has ended does not change any more, and the state of any other one arrives by events.
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface ResultWithWarnings {
  result: DefaultResult
  /** What was done differently than requested. */
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

/** What a job was asked for. */
type RequestedWork = Pick<
  Job,
  'summary_modes' | 'templates' | 'generate_infographic' | 'language' | 'output_language' | 'custom_instructions'
>

/** Returns what is known about a job that has just been accepted. */
const describeNew = ({ status_url, result_url, ...job }: SubmittedJob, requested: RequestedWork): Job => ({
  ...job,
  ...requested,
  updated_at: job.created_at,
  progress_percentage: 0,
  current_step: 'queued',
  estimated_time_remaining: 0,
})

/** Remembers a job that has just been submitted, so that its page need not ask for it. */
export function rememberSubmitted(queries: QueryClient, job: SubmittedJob, requested: RequestedWork): Promise<void> {
  queries.setQueryData(jobQuery(job.job_id).queryKey, describeNew(job, requested))
  return outdateJobLists(queries)
}

function keepJob(queries: QueryClient, job: Job): void {
  queries.setQueryData(jobQuery(job.job_id).queryKey, job)
  updateInLists(queries, job)
}

/** Follows a job to its end and keeps what arrives. The event stream resumes automatically when it breaks. */
async function follow(queries: QueryClient, jobId: string, signal: AbortSignal): Promise<void> {
  const ended = await subtext.videos.waitFor(jobId, {
    signal,
    onProgress: (job) => keepJob(queries, job),
    onSummary: ({ mode, text }) =>
      queries.setQueryData(summariesKey(jobId), (known: Summaries = {}) => ({ ...known, [mode]: text })),
  })
  keepJob(queries, ended)
}

/** The longest delay of a timer is about 25 days. */
const MAX_PAUSE_MS = 3_600_000

/**
 * Returns a job and the summaries that are finished, and follows the job until it has ended. `interruption`: why it cannot be
 * followed now. If it names a time, following resumes automatically at that time; `resume` resumes at once.
 */
export function useLiveJob(jobId: string) {
  const queries = useQueryClient()
  const job = useQuery({ ...jobQuery(jobId), initialData: () => findInLists(queries, jobId) })
  const summaries = useQuery<Summaries>({ queryKey: summariesKey(jobId), queryFn: () => ({}), staleTime: Infinity })
  const [interruption, setInterruption] = useState<Error | null>(null)
  const isLive = job.data !== undefined && !hasEnded(job.data)
  useEffect(() => {
    if (!isLive || interruption) return
    const controller = new AbortController()
    follow(queries, jobId, controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted && error instanceof Error) setInterruption(error)
    })
    return () => controller.abort()
  }, [isLive, interruption, jobId, queries])
  useEffect(() => {
    const pause = interruption instanceof SubtextError ? interruption.retryAfterMs : undefined
    if (pause === undefined) return
    const timer = setTimeout(() => setInterruption(null), Math.min(pause, MAX_PAUSE_MS))
    return () => clearTimeout(timer)
  }, [interruption])
  return { job, summaries: summaries.data ?? {}, interruption, resume: () => setInterruption(null) }
}
