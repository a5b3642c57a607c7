import type { Notification } from '@subtext/queue'
import type { Context } from '../context.ts'

/** Tells other processes and does not wait: Redis may be silent, and a lost notification costs time, never work. */
export function notify({ notifier, log }: Pick<Context, 'notifier' | 'log'>, kind: Notification, id: string): void {
  notifier.publish(kind, id).catch((error: Error) => log.warn('notification lost', { kind, error: error.message }))
}
