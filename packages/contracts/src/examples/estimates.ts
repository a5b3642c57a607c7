import { planFor, requiresPlanFor } from '../plans.ts'
import type { BatchEstimate, VideoEstimate } from '../routes/estimates.ts'
import { VIDEO_ID } from './meta.ts'

export const VIDEO_ESTIMATE: VideoEstimate = {
  video_id: VIDEO_ID,
  would_accept: true,
  violations: [],
  quota: { uses: 1, daily_remaining: 26, monthly_remaining: 162 },
  cached: { transcript: true, modes: ['tldr'] },
  cost_usd: { low: 0.000292, expected: 0.000418, high: 0.000733 },
  tokens: { input: 1_810, output: 472 },
  seconds: 8,
  basis: 'transcript',
}

export const REFUSED_ESTIMATE: VideoEstimate = {
  ...VIDEO_ESTIMATE,
  would_accept: false,
  violations: [
    {
      code: 'PLAN_UPGRADE_REQUIRED',
      message: requiresPlanFor('webhooks'),
      feature: 'webhooks',
      field: 'webhook_url',
      required_plan: planFor('webhooks'),
    },
    {
      code: 'QUOTA_EXCEEDED',
      message: 'The video quota of your plan is used up. It resets at `details.reset_at`.',
      quota: 'daily',
      limit: 10,
      used: 10,
      reset_at: '2026-01-15T00:00:00.000Z',
    },
  ],
  quota: { uses: 1, daily_remaining: 0, monthly_remaining: 21 },
  cached: { transcript: false, modes: [] },
  cost_usd: { low: 0.00011, expected: 0.000902, high: 0.009314 },
  tokens: { input: 5_024, output: 803 },
  seconds: 16,
  basis: 'typical',
}

const { video_id, ...shared } = VIDEO_ESTIMATE
const { cached, cost_usd, basis } = shared

export const BATCH_ESTIMATE: BatchEstimate = {
  ...shared,
  videos: [{ index: 0, video_id, cached, cost_usd, basis }],
}
