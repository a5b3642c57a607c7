import type { Job, SubmittedJob } from '@subtext/sdk'

const nextStep = ({ status, job_id }: Pick<Job, 'status' | 'job_id'>): string => {
  if (status === 'completed') return `Call get_video_result with job_id "${job_id}".`
  if (status === 'failed') return 'The job has failed; do not ask again.'
  return `Call get_video_job_status with job_id "${job_id}" in some seconds.`
}

/** Describes a job as the tools return it. */
export function describeJob(job: Job | SubmittedJob) {
  return {
    job_id: job.job_id,
    status: job.status,
    ...('progress_percentage' in job && {
      progress_percentage: job.progress_percentage,
      current_step: job.current_step,
    }),
    ...('error' in job && job.error && { error: { code: job.error.code, message: job.error.message } }),
    next: nextStep(job),
  }
}
