export const JOB_COLUMNS =
  'id, status, progress, step, video_id, priority, options, batch_id, created_at, updated_at, started_at, completed_at, error, service_name, agent_name, client_reference'

export interface JobRow {
  id: string
  status: string
  progress: number
  step: string
  video_id: string
  priority: string
  options: { summary_modes: string[] }
  created_at: Date
  updated_at: Date
  started_at: Date | null
  completed_at: Date | null
}

/** Returns a job as the baselines present it, with the fields of the contract. */
export const presentJob = (job: JobRow): Record<string, unknown> => ({
  job_id: job.id,
  status: job.status,
  progress_percentage: job.progress,
  current_step: job.step,
  estimated_time_remaining: 0,
  video_id: job.video_id,
  video_url: `https://www.youtube.com/watch?v=${job.video_id}`,
  priority: job.priority,
  summary_modes: job.options.summary_modes,
  created_at: job.created_at.toISOString(),
  updated_at: job.updated_at.toISOString(),
  ...(job.started_at && { started_at: job.started_at.toISOString() }),
  ...(job.completed_at && { completed_at: job.completed_at.toISOString() }),
})
