import { connectRedis, failFast, firstAttempt, type QueueOptions } from './connection.ts'

/**
 * What a notification is about; its ID says which one.
 * - `job`: the job has ended.
 * - `progress`: the job has made progress.
 * - `cancel`: the worker that processes the job should check whether it is still wanted.
 * - `delivery`: a webhook event is waiting to be delivered.
 * - `listing`: a source is waiting to be listed.
 * - `source`: nobody works on the source any more.
 */
export const NOTIFICATIONS = ['job', 'progress', 'cancel', 'delivery', 'listing', 'source'] as const
export type Notification = (typeof NOTIFICATIONS)[number]

type Listener = (id: string) => void

/**
 * Notifies other processes through Redis. A lost notification costs time but never work: every subscriber also checks
 * PostgreSQL from time to time.
 */
export interface Notifier {
  /** Rejects within seconds while Redis is unavailable. */
  publish(kind: Notification, id: string): Promise<void>
  /** Returns a function that ends the subscription. */
  subscribe(kind: Notification, listener: Listener): () => void
  /** Rejects unless Redis responds now. Waits for the first attempt to connect, up to two seconds. */
  checkConnection(): Promise<void>
  close(): Promise<void>
}

interface NotifierOptions extends QueueOptions {
  /** Called for every notification that could not be published. */
  onLost?: (kind: Notification) => void
}

/** `subscribed` lists the kinds this process can subscribe to. */
export function createNotifier(options: NotifierOptions, subscribed: readonly Notification[] = []): Notifier {
  const publisher = connectRedis(options, failFast(options))
  const opened = firstAttempt(publisher, options.timeoutMs)
  const channelOf = (kind: Notification): string => `${options.prefix}:signal:${kind}`
  const listeners = new Map<string, Set<Listener>>(subscribed.map((kind) => [channelOf(kind), new Set()]))
  const subscriber = subscribed.length > 0 ? connectRedis({ ...options, onConnectionChange: undefined }) : undefined
  subscriber?.subscribe(...listeners.keys()).catch(() => {}) // closed before it was connected
  subscriber?.on('message', (channel: string, id: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(id)
  })

  return {
    async publish(kind, id) {
      try {
        await publisher.publish(channelOf(kind), id)
      } catch (error) {
        options.onLost?.(kind)
        throw error
      }
    },
    subscribe(kind, listener) {
      const group = listeners.get(channelOf(kind))
      if (!group) throw new Error(`This notifier was not created with the kind "${kind}".`)
      group.add(listener)
      return () => group.delete(listener)
    },
    async checkConnection() {
      await opened
      await publisher.ping()
    },
    async close() {
      publisher.disconnect()
      subscriber?.disconnect()
    },
  }
}
