import type { Batch, BatchJob } from '../routes/batches.ts'
import { FAILED_JOB } from './jobs.ts'
import { API, COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'
import { DEFAULT_RESULT } from './results.ts'

const BATCH_ID = '0193a1f2-11bb-7e20-a4d6-7f0a9b8c7d6e'
const FAILED_JOB_ID = '0193a1f0-7c1e-7b52-9d56-1f0c2a4b8e12'
const STARTED_AT = '2026-01-01T00:00:12.110Z'
const attribution = { client_reference: 'order-1042' }

export const SUBMITTED_BATCH = {
  batch_id: BATCH_ID,
  status: 'processing',
  total_jobs: 2,
  jobs: [
    { index: 0, job_id: JOB_ID },
    { index: 1, job_id: FAILED_JOB_ID },
  ],
  status_url: `${API}/batch/status/${BATCH_ID}`,
  results_url: `${API}/batch/results/${BATCH_ID}`,
  created_at: CREATED_AT,
  ...attribution,
}

export const BATCH: Batch = {
  batch_id: BATCH_ID,
  status: 'partial_failure',
  progress_percentage: 100,
  summary_stats: { total: 2, queued: 0, processing: 0, successful: 1, failed: 1 },
  created_at: CREATED_AT,
  started_at: STARTED_AT,
  completed_at: COMPLETED_AT,
  ...attribution,
}

const video = { video_id: VIDEO_ID, video_url: VIDEO_URL }
const failure = { index: 1, job_id: FAILED_JOB_ID, ...video, error: FAILED_JOB.error }

export const BATCH_WITH_JOBS: Batch & { jobs: BatchJob[] } = {
  ...BATCH,
  jobs: [
    {
      index: 0,
      job_id: JOB_ID,
      ...video,
      video_title: 'Rivers and the sea',
      status: 'completed',
      progress_percentage: 100,
    },
    { ...failure, status: 'failed', progress_percentage: 20 },
  ],
}

export const BATCH_RESULTS = {
  batch_id: BATCH_ID,
  status: BATCH.status,
  summary_stats: BATCH.summary_stats,
  processing: { started_at: STARTED_AT, completed_at: COMPLETED_AT, total_processing_time: 9.34 },
  failed_jobs: [failure],
  successful_jobs: [DEFAULT_RESULT],
}
