import type { Context } from '@subtext/core'
import { openDb } from '@subtext/db'
import { createSignals, type Signals } from '@subtext/queue'
import { createLogger } from '@subtext/runtime'
import { createSender, type Sender } from './delivery/send.ts'
import type { WebhooksEnv } from './env.ts'

export interface WebhooksContext extends Pick<Context, 'db' | 'clock' | 'log'> {
  signals: Pick<Signals, 'listen'>
  sender: Sender
  retrySchedule: readonly number[]
  concurrency: number
}

export function createContext(env: WebhooksEnv): { context: WebhooksContext; close: () => Promise<void> } {
  const log = createLogger('webhooks', env.LOG_LEVEL)
  const db = openDb({
    url: env.DATABASE_URL,
    maxConnections: env.DATABASE_POOL,
    onIdleError: (error) => log.warn('database connection lost', { error: error.message }),
  })
  const signals = createSignals(
    {
      url: env.REDIS_URL,
      prefix: env.QUEUE_PREFIX,
      onConnectionChange: (state, error) => log.warn('redis connection', { state, error: error?.message }),
    },
    ['delivery'],
  )
  const sender = createSender({ allowPrivate: env.WEBHOOK_ALLOW_PRIVATE })
  return {
    context: {
      db,
      clock: () => new Date(),
      log,
      signals,
      sender,
      retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
      concurrency: env.WEBHOOK_CONCURRENCY,
    },
    async close() {
      await Promise.allSettled([sender.close(), signals.close(), db.close()])
    },
  }
}
