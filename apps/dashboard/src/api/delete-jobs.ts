import type { Job } from '@subtext/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { subtext } from './client.ts'
import { isNotFound } from './errors.ts'

/** Deletes jobs, one after the other. Returns those that are left, and why the first of them is. */
export async function deleteJobs(
  queries: QueryClient,
  jobs: readonly Job[],
): Promise<{ left: string[]; error: Error | null }> {
  const left: string[] = []
  let error: Error | null = null
  for (const { job_id: jobId } of jobs) {
    try {
      await subtext.videos.delete(jobId)
    } catch (caught) {
      // Another page has deleted it.
      if (!(caught instanceof Error) || isNotFound(caught)) continue
      left.push(jobId)
      error ??= caught
    }
    for (const kept of ['job', 'result', 'segments', 'summaries']) queries.removeQueries({ queryKey: [kept, jobId] })
  }
  void queries.invalidateQueries({ queryKey: ['library'] })
  await queries.invalidateQueries({ queryKey: ['jobs'] })
  return { left, error }
}
