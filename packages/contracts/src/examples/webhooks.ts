import type { z } from 'zod'
import type { DeliveryAttempt, RotatedWebhookSecret, WebhookDelivery, WebhookSecret } from '../routes/webhooks.ts'
import { COMPLETED_AT, JOB_ID } from './meta.ts'

const PREFIX = 'whsec_C2FV'
const MADE_AT = '2025-12-01T09:00:00.000Z'

export const SECRET: z.input<typeof WebhookSecret> = { prefix: PREFIX, created_at: MADE_AT, previous: [] }

export const ROTATED_SECRET: z.input<typeof RotatedWebhookSecret> = {
  secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDVF9J2Q3EXAM=',
  prefix: PREFIX,
  created_at: MADE_AT,
  previous_expires_at: '2025-12-02T09:00:00.000Z',
}

const ATTEMPT: z.input<typeof DeliveryAttempt> = {
  attempt: 1,
  started_at: '2026-01-01T00:00:21.500Z',
  duration_ms: 84,
  status_code: 204,
  error: null,
}

const DELIVERY_ID = '0193a1f1-02ab-7b61-9e2f-4d5c6b7a8190'

export const DELIVERY: z.input<typeof WebhookDelivery> = {
  delivery_id: DELIVERY_ID,
  event_id: '0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d',
  event: 'job.completed',
  job_id: JOB_ID,
  url: 'https://hooks.example.org/subtext',
  status: 'delivered',
  attempt_count: 1,
  last_attempt: ATTEMPT,
  created_at: COMPLETED_AT,
  updated_at: '2026-01-01T00:00:21.584Z',
}

const { job_id: _, last_attempt: __, ...WAITING } = DELIVERY

export const TEST_DELIVERY: z.input<typeof WebhookDelivery> = {
  ...WAITING,
  event: 'webhook.test',
  status: 'pending',
  attempt_count: 0,
  next_attempt_at: COMPLETED_AT,
  updated_at: COMPLETED_AT,
}

export const DELIVERY_WITH_ATTEMPTS = {
  ...DELIVERY,
  attempts: [{ ...ATTEMPT, response_body: '' }],
  request_body: '{"id":"0193a1f1-02aa-7d10-b3c5-6e9f8a7b6c5d","event":"job.completed","...":"..."}',
  request_bytes: 18_204,
}
