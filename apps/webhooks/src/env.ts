import { parseSchedule } from '@subtext/core'
import { CommonEnv, count, flag, loadEnv } from '@subtext/runtime'
import { z } from 'zod'

const schedule = z.string().transform((text, issue) => {
  const seconds = parseSchedule(text)
  if (seconds) return seconds
  issue.addIssue('Must be a list of durations such as 5s,5m,2h.')
  return z.NEVER
})

export const WebhooksEnv = CommonEnv.extend({
  WEBHOOK_RETRY_SCHEDULE: schedule
    .prefault('5s,5m,30m,2h,5h,10h,14h,20h,24h')
    .describe('Pauses between the attempts of a delivery.'),
  WEBHOOK_ALLOW_PRIVATE: flag(false).describe('Allow webhooks to private addresses (development).'),
  WEBHOOK_CONCURRENCY: count(20, 1, 500).describe('Deliveries a process makes at once.'),
})
export type WebhooksEnv = z.output<typeof WebhooksEnv>

export const readEnv = (): WebhooksEnv => loadEnv(WebhooksEnv, process.env)
