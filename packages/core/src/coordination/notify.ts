import type { Notification } from '@subtext/queue'
import type { Context } from '../context.ts'

/**
 * Notifies other processes without making the caller wait. Delivery is best effort: receivers poll too, so a notification
 * that is lost while Redis is unavailable delays them but loses no work.
 */
export function notify({ notifier, log }: Pick<Context, 'notifier' | 'log'>, kind: Notification, id: string): void {
  notifier.publish(kind, id).catch((error: Error) => log.warn('notification lost', { kind, error: error.message }))
}
