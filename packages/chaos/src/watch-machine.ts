import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@subtext/db'
import { AFTERMATH_MS, type FaultPeriod } from './check-spending.ts'

const LOOK_EVERY_MS = 100
/** A process that gets no reply of the database for this long may lose a lease, although nothing was broken on purpose. */
const TOO_SLOW_MS = 500

export interface MachineWatch {
  /** The times at which this process or its database connection waited too long for the machine. */
  starved: FaultPeriod[]
  stop(): Promise<void>
}

/** Watches whether the machine is too busy for the apps to keep their leases: then work may be repeated without a fault. */
export function watchMachine(db: Db): MachineWatch {
  const stopping = new AbortController()
  const starved: FaultPeriod[] = []
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const from = Date.now()
      await Promise.all([
        db.query('SELECT 1').catch(() => {}), // a fault, which is recorded as one
        sleep(LOOK_EVERY_MS),
      ])
      const to = Date.now()
      if (to - from > LOOK_EVERY_MS + TOO_SLOW_MS) starved.push({ from, to: to + AFTERMATH_MS })
    }
  })()
  return {
    starved,
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
