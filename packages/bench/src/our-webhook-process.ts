import { startDeliverer, WebhooksEnv } from '@subtext/webhooks/testing'
import { answerQuestions } from './child-process.ts'

answerQuestions({
  /** Starts a deliverer as a deployment does. */
  async start(settings: Record<string, string>): Promise<void> {
    startDeliverer(WebhooksEnv.parse(settings))
  },
})
