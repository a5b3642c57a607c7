import type { Sql } from '@subtext/db'
import type { Log } from '../context.ts'

/** Smaller differences may be those of the measurement. */
const TOLERATED_MS = 1_000
const MEASURE_EVERY_MS = 30_000
/** A slower answer says too little. */
const MAX_ROUND_TRIP_MS = 2_000

export interface DatabaseClock {
  now: () => Date
  /** Measures the difference now. Rejects if the database is unavailable; the last known difference then stays. */
  measure(): Promise<void>
  close(): void
}

export interface DatabaseClockOptions {
  /** Called when the difference of this machine's clock, in milliseconds, becomes another one. */
  onDifference?: (differenceMs: number) => void
  /** This machine's clock; changed in tests only. */
  systemNow?: () => number
}

/**
 * Creates a clock that agrees with the database's to a second, whatever the clock of this machine says: processes on several machines
 * book what they do to the same hours and days. Until the first measurement, it is the machine's clock.
 */
export function createDatabaseClock(
  sql: Sql,
  { onDifference = () => undefined, systemNow = Date.now }: DatabaseClockOptions = {},
): DatabaseClock {
  let differenceMs = 0
  const measure = async (): Promise<void> => {
    const began = systemNow()
    const { rows } = await sql.query<{ ms: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
    )
    const ended = systemNow()
    const [answer] = rows
    // Backward, too, if this machine's clock was set meanwhile.
    if (!answer || Math.abs(ended - began) > MAX_ROUND_TRIP_MS) return
    const measured = Math.round(answer.ms - (began + ended) / 2)
    if (Math.abs(measured - differenceMs) <= TOLERATED_MS) return
    differenceMs = Math.abs(measured) <= TOLERATED_MS ? 0 : measured
    onDifference(-differenceMs)
  }
  const measureIfPossible = (): Promise<void> => measure().catch(() => undefined) // The next measurement may succeed.
  const timer = setInterval(measureIfPossible, MEASURE_EVERY_MS).unref()
  void measureIfPossible()
  return {
    now: () => new Date(systemNow() + differenceMs),
    measure,
    close: () => clearInterval(timer),
  }
}

/** Creates the clock of a process, which logs when the clock of its machine is wrong. */
export const openDatabaseClock = (sql: Sql, log: Pick<Log, 'warn'>): DatabaseClock =>
  createDatabaseClock(sql, {
    onDifference: (ms) =>
      log.warn('the clock of this machine differs from that of the database', { difference_ms: ms }),
  })
