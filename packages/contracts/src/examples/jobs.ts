import { ERRORS } from '../errors.ts'
import type { Job } from '../routes/job.ts'
import { API, COMPLETED_AT, CREATED_AT, JOB_ID, VIDEO_ID, VIDEO_URL } from './meta.ts'

const identity = { job_id: JOB_ID, video_id: VIDEO_ID, video_url: VIDEO_URL }
const attribution = { client_reference: 'order-1042' }

export const SUBMITTED = {
  ...identity,
  status: 'queued',
  priority: 'normal',
  status_url: `${API}/videos/status/${JOB_ID}`,
  result_url: `${API}/videos/result/${JOB_ID}`,
  created_at: CREATED_AT,
  ...attribution,
}

const DERIVED_ID = '0193a1f4-66b2-7d1a-8c05-2e9b7a6f4d13'

/** A job that adds to the job of the other examples. */
export const DERIVED = {
  ...SUBMITTED,
  job_id: DERIVED_ID,
  derived_from: JOB_ID,
  status_url: `${API}/videos/status/${DERIVED_ID}`,
  result_url: `${API}/videos/result/${DERIVED_ID}`,
  created_at: '2026-01-01T00:05:00.000Z',
}

export const PROCESSING_JOB: Job = {
  ...identity,
  status: 'processing',
  progress_percentage: 45,
  current_step: 'summarizing',
  estimated_time_remaining: 6,
  video_title: 'Rivers and the sea',
  priority: 'normal',
  summary_modes: ['tldr', 'key_insights'],
  language: 'en',
  created_at: CREATED_AT,
  updated_at: '2026-01-01T00:00:15.300Z',
  started_at: '2026-01-01T00:00:12.110Z',
  ...attribution,
}

export const COMPLETED_JOB: Job = {
  ...PROCESSING_JOB,
  status: 'completed',
  progress_percentage: 100,
  current_step: 'completed',
  estimated_time_remaining: 0,
  updated_at: COMPLETED_AT,
  completed_at: COMPLETED_AT,
}

export const FAILED_JOB: Job = {
  ...COMPLETED_JOB,
  status: 'failed',
  progress_percentage: 20,
  current_step: 'failed',
  error: {
    code: 'TRANSCRIPT_UNAVAILABLE',
    message: ERRORS.TRANSCRIPT_UNAVAILABLE.message,
    details: { reason: 'captions_disabled' },
    retryable: false,
  },
}

export const CANCELLED_JOB: Job = {
  ...FAILED_JOB,
  progress_percentage: 45,
  error: { code: 'JOB_CANCELLED', message: ERRORS.JOB_CANCELLED.message, retryable: false },
}
