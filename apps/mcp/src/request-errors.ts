import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@subtext/runtime'

const MAX_REASON = 300

/**
 * Creates the log of errors in requests. What is wrong with a request is known only when it is answered: a mistake of the client
 * is one short line, and everything else is logged as an error, with its stack.
 */
export function createErrorLog(log: Pick<Logger, 'info' | 'warn'>) {
  const current = new AsyncLocalStorage<{ errors: Error[]; isAnswered: boolean }>()
  const logFailure = (error: Error): void => log.warn('request failed', { error })
  return {
    add(error: Error): void {
      const held = current.getStore()
      if (!held || held.isAnswered) logFailure(error)
      else held.errors.push(error)
    },
    /** Runs what answers a request, and logs the errors that it has added. */
    async watch(request: IncomingMessage, response: ServerResponse, answer: () => Promise<void>): Promise<void> {
      const held = { errors: [] as Error[], isAnswered: false }
      try {
        await current.run(held, answer)
      } finally {
        held.isAnswered = true
        const status = response.statusCode
        const isRefused = status >= 400 && status < 500
        for (const error of held.errors) {
          if (isRefused) log.info('request refused', { status, reason: error.message.slice(0, MAX_REASON) })
          else if (request.complete) logFailure(error)
          else log.info('client disconnected', { reason: error.message.slice(0, MAX_REASON) })
        }
      }
    },
  }
}
