import type pg from 'pg'

/** Connections of a pool. */
export interface PoolUse {
  used: number
  idle: number
  /** Callers that wait for a connection. */
  waiting: number
}

/** Receives numbers for the metrics. */
export interface DbMonitor {
  /** Called once, with a function that returns the current use of the pool. */
  opened(readUse: () => PoolUse): void
  /** Called with the time that a caller has waited for a connection, whether it got one or not. */
  waited(seconds: number): void
  /** Called when a statement has ended. The time includes the wait for its connection, except within a transaction. */
  executed(seconds: number, succeeded: boolean): void
}

/** Runs a statement, and reports to the monitor how long it took and whether it succeeded. */
export async function measure<T>(monitor: DbMonitor | undefined, run: () => Promise<T>): Promise<T> {
  const started = performance.now()
  let succeeded = false
  try {
    const result = await run()
    succeeded = true
    return result
  } finally {
    monitor?.executed((performance.now() - started) / 1_000, succeeded)
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0]

/** Reports to the monitor how long each caller waits for a connection. */
export function watchPool(pool: pg.Pool, monitor: DbMonitor): void {
  const connect = pool.connect.bind(pool) as (callback: ConnectCallback) => void
  const measured = (callback: ConnectCallback): void => {
    const started = performance.now()
    connect((error, client, release) => {
      monitor.waited((performance.now() - started) / 1_000)
      callback(error, client, release)
    })
  }
  const connectAsPromise = (): Promise<pg.PoolClient> =>
    new Promise((resolve, reject) => {
      measured((error, client) => (client ? resolve(client) : reject(error)))
    })
  pool.connect = ((callback?: ConnectCallback) =>
    callback ? measured(callback) : connectAsPromise()) as pg.Pool['connect']
  monitor.opened(() => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
}
