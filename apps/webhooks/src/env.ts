import { parseSchedule } from '@subtext/core/webhooks'
import { CommonEnv, count, flag, keyRing, loadEnv } from '@subtext/runtime'
import { z } from 'zod'

const schedule = z.string().transform((text, issue) => {
  const seconds = parseSchedule(text)
  if (seconds) return seconds
  issue.addIssue('Must be a list of durations such as 5s,5m,2h.')
  return z.NEVER
})

const duration = schedule
  .refine((seconds) => seconds.length === 1, 'Must be a duration such as 120h.')
  .transform(([seconds = 0]) => seconds)

export const WebhooksEnv = CommonEnv.extend({
  WEBHOOK_RETRY_SCHEDULE: schedule
    .prefault('5s,5m,30m,2h,5h,10h,14h,20h,24h')
    .describe('Pauses between the attempts of a delivery.'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('Allow webhooks to private addresses (development).'),
  WEBHOOK_HTTPS_ONLY: flag(false).describe('Refuse webhooks that are not https; production files set it.'),
  WEBHOOK_CONCURRENCY: count(20, 1, 500).describe(
    'Deliveries a process makes at once; those that wait for a slow receiver step aside and are not counted.',
  ),
  WEBHOOK_RECEIVER_CONCURRENCY: count(5, 1, 100).describe(
    'Deliveries that one receiver gets at once, from all processes together; while it is slow or new, no two at one path.',
  ),
  WEBHOOK_DISABLE_AFTER: duration
    .prefault('120h')
    .describe('How long an endpoint may meet only failures, of 10 events at least, before it gets no more deliveries.'),
  WEBHOOK_SECRET_KEY: keyRing.describe(
    'Keys that webhook secrets are kept under: 32 bytes in base64 or hexadecimal, several as name:key,name:key; the first one seals. `npm start` makes one in its data directory.',
  ),
})
export type WebhooksEnv = z.output<typeof WebhooksEnv>

export const readEnv = (): WebhooksEnv => loadEnv(WebhooksEnv, process.env)
