import { RETRY_SCHEDULE } from '@subtext/contracts'
import { CommonEnv, count, flag, keyRing, loadEnv, schedule, webhookAllowPrivate } from '@subtext/runtime'
import type { z } from 'zod'

const duration = schedule
  .refine((seconds) => seconds.length === 1, 'Must be a single duration, such as 120h.')
  .transform(([seconds = 0]) => seconds)

export const WebhooksEnv = CommonEnv.extend({
  WEBHOOK_RETRY_SCHEDULE: schedule.prefault(RETRY_SCHEDULE).describe('Delays between the attempts at a delivery.'),
  WEBHOOK_ALLOW_PRIVATE: webhookAllowPrivate,
  WEBHOOK_HTTPS_ONLY: flag(false).describe('Refuse webhook URLs that do not use https. The production files set it.'),
  WEBHOOK_CONCURRENCY: count(20, 1, 500).describe(
    'Maximum number of concurrent deliveries of a process, not counting those that wait for a slow receiver. While receivers respond promptly, up to as many more are claimed in advance.',
  ),
  WEBHOOK_RECEIVER_CONCURRENCY: count(5, 1, 100).describe(
    'Maximum number of concurrent deliveries to a receiver, from all processes together. While a receiver is slow or new, each of its paths gets one at a time.',
  ),
  WEBHOOK_DISABLE_AFTER: duration
    .prefault('120h')
    .describe(
      'Time without a successful delivery after which an endpoint is disabled, if at least 10 events have failed.',
    ),
  WEBHOOK_SECRET_KEY: keyRing.describe(
    'Keys that encrypt webhook secrets, each 32 bytes in base64 or hexadecimal. Several are written as name:key,name:key; the first one encrypts. `npm start` creates one in its data directory.',
  ),
})
export type WebhooksEnv = z.output<typeof WebhooksEnv>

export const readEnv = (): WebhooksEnv => loadEnv(WebhooksEnv, process.env)
