import { startDeliverer } from '../../../apps/webhooks/src/deliverer.ts'
import { WebhooksEnv } from '../../../apps/webhooks/src/env.ts'
import { answerQuestions } from './child-process.ts'

answerQuestions({
  /** Starts a deliverer as a deployment does. */
  async start(settings: Record<string, string>): Promise<void> {
    startDeliverer(WebhooksEnv.parse(settings))
  },
})
