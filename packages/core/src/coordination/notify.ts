import type { Signal } from '@subtext/queue'
import type { Context } from '../context.ts'

/** Tells other processes and does not wait: Redis may be silent, and a hint that is lost costs time, never work. */
export function notify({ signals, log }: Pick<Context, 'signals' | 'log'>, signal: Signal, id: string): void {
  signals.publish(signal, id).catch((error: Error) => log.warn('signal lost', { signal, error: error.message }))
}
