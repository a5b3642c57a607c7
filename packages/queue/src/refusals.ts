import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'

// Replies of a server that is there and does not serve: it loads its data, cannot write to its disk, is a replica or one
// that has lost its primary, has no memory left, runs a script that does not end, lacks replicas, wants a password, has
// just become a replica, or is part of a cluster (https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors, and `shared.*err` in the
// source).
const REFUSALS =
  /^(?:LOADING|MISCONF|READONLY|MASTERDOWN|OOM|BUSY|NOREPLICAS|NOAUTH|NOPERM|CLUSTERDOWN|MOVED|ASK|CROSSSLOT|TRYAGAIN|UNBLOCKED) /

/** Returns whether a command failed because of the state of the server, and not because of what it says. */
export const isRefusal = (error: Error): boolean => REFUSALS.test(error.message)

const PAUSE_MS = 1_000
const PROBE_TTL_MS = 1_000

export interface RefusalOptions {
  /** Written to find out whether the server serves again. */
  probeKey: string
  /** Called once when the server begins to refuse commands, and once when it serves again. */
  onChange: (state: 'refusing' | 'serving', error?: Error) => void
}

export interface Refusals {
  /** Notes that a command was refused. */
  note(error: Error): void
  isRefusing(): boolean
  close(): void
}

/** Watches a server that refuses commands, by one write per second, until it serves again. */
export function watchRefusals(redis: Redis, { probeKey, onChange }: RefusalOptions): Refusals {
  const closing = new AbortController()
  let isRefusing = false

  const untilServed = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(PAUSE_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {}) // closed
      const isServed = await redis.set(probeKey, '', 'PX', PROBE_TTL_MS).then(
        () => true,
        () => false,
      )
      if (isServed) break
    }
    isRefusing = false
    if (!closing.signal.aborted) onChange('serving')
  }
  return {
    note(error) {
      if (isRefusing || closing.signal.aborted) return
      isRefusing = true
      onChange('refusing', error)
      void untilServed()
    },
    isRefusing: () => isRefusing,
    close: () => closing.abort(),
  }
}
