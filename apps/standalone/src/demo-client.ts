import type { DefaultResult, Job, SubmittedJob } from '@subtext/contracts'
import type { z } from 'zod'

/** Creates a client that makes the same HTTP calls as a first integration. */
export function createApi(baseUrl: string, key: string) {
  const call = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    })
    const reply = (await response.json()) as { success: boolean; data: T; error?: { code: string; message: string } }
    if (!reply.success) throw new Error(`${path}: ${reply.error?.code} ${reply.error?.message}`)
    return reply.data
  }
  return {
    submit: async (request: object): Promise<string> => {
      const body = JSON.stringify(request)
      const job = await call<z.infer<typeof SubmittedJob>>('/videos/process', { method: 'POST', body })
      return job.job_id
    },
    /** Polls with a short wait, so that every step is reported, until the job has completed or failed. */
    follow: async (jobId: string, onStep: (job: Job) => void): Promise<Job> => {
      let seen = ''
      for (;;) {
        const job = await call<Job>(`/videos/status/${jobId}?wait=1`)
        const step = `${job.current_step} ${job.progress_percentage}`
        if (step !== seen) onStep(job)
        seen = step
        if (job.status === 'completed' || job.status === 'failed') return job
      }
    },
    result: (jobId: string) => call<z.infer<typeof DefaultResult>>(`/videos/result/${jobId}`),
  }
}
