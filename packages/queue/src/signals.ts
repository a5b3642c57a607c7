import { connectRedis, FAIL_FAST, type QueueOptions } from './connection.ts'

/**
 * `job`: the job with that id has ended. `progress`: it has moved on. `cancel`: who works on it shall see whether it is
 * still wanted. `delivery`: a webhook waits to be delivered.
 */
export const SIGNALS = ['job', 'progress', 'cancel', 'delivery'] as const
export type Signal = (typeof SIGNALS)[number]

type Listener = (id: string) => void

/** Hints between processes. A lost one costs time, never work: who waits for it also looks into Postgres now and then. */
export interface Signals {
  publish(signal: Signal, id: string): Promise<void>
  /** Returns how to stop listening. */
  listen(signal: Signal, listener: Listener): () => void
  close(): Promise<void>
}

export function createSignals(options: QueueOptions, listened: readonly Signal[] = []): Signals {
  const publisher = connectRedis(options, FAIL_FAST)
  const channel = (signal: Signal): string => `${options.prefix}:signal:${signal}`
  const listeners = new Map<string, Set<Listener>>(listened.map((signal) => [channel(signal), new Set()]))
  const subscriber = listened.length > 0 ? connectRedis({ ...options, onConnectionChange: undefined }) : undefined
  subscriber?.subscribe(...listeners.keys()).catch(() => {}) // closed before it was connected
  subscriber?.on('message', (name: string, id: string) => {
    for (const listener of listeners.get(name) ?? []) listener(id)
  })

  return {
    async publish(signal, id) {
      await publisher.publish(channel(signal), id)
    },
    listen(signal, listener) {
      const group = listeners.get(channel(signal))
      if (!group) throw new Error(`This process does not listen to the signal ${signal}.`)
      group.add(listener)
      return () => group.delete(listener)
    },
    async close() {
      publisher.disconnect()
      subscriber?.disconnect()
    },
  }
}
