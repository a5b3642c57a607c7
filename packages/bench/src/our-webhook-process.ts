import { startDeliverer, WebhooksEnv } from '@subtext/webhooks/testing'
import { handleCalls } from './child-process.ts'

/** Only notifications make it look for deliveries, so that none is sent before a round begins. */
const NEVER_MS = 2 ** 31 - 1

handleCalls({
  /** Starts a deliverer as in a deployment. */
  async start(settings: Record<string, string>): Promise<void> {
    startDeliverer(WebhooksEnv.parse(settings), { pollIntervalMs: NEVER_MS })
  },
})
