import { startDeliverer, WebhooksEnv } from '@subtext/webhooks/testing'
import { handleCalls } from './child-process.ts'

handleCalls({
  /** Starts a deliverer as in a deployment. */
  async start(settings: Record<string, string>): Promise<void> {
    startDeliverer(WebhooksEnv.parse(settings))
  },
})
