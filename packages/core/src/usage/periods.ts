import type { Granularity } from '@subtext/contracts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS
/** 1970-01-05, a Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** A window of the clock or the calendar (UTC), and its part within the requested range. */
export interface Period {
  windowStart: Date
  start: Date
  /** Exclusive. */
  end: Date
}

interface Windows {
  /** Ranges are rounded outwards to multiples of this, the resolution at which usage is stored. */
  unitMs: number
  startOf(time: number): number
  /** Returns the start of the window that is `by` windows after (or before) the one that starts at `start`. */
  move(start: number, by: number): number
}

const evenWindows = (unitMs: number, lengthMs: number, origin = 0): Windows => ({
  unitMs,
  startOf: (time) => origin + Math.floor((time - origin) / lengthMs) * lengthMs,
  move: (start, by) => start + by * lengthMs,
})

const WINDOWS: Record<Granularity, Windows> = {
  hourly: evenWindows(HOUR_MS, HOUR_MS),
  daily: evenWindows(DAY_MS, DAY_MS),
  weekly: evenWindows(DAY_MS, WEEK_MS, FIRST_MONDAY_MS),
  monthly: {
    unitMs: DAY_MS,
    startOf: (time) => startOfMonth(time, 0),
    move: startOfMonth,
  },
}

function startOfMonth(time: number, by: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1)
}

/** Returns the calendar month (UTC) of `now`. */
export const currentMonth = (now: Date): { start: Date; end: Date } => ({
  start: new Date(startOfMonth(now.getTime(), 0)),
  end: new Date(startOfMonth(now.getTime(), 1)),
})

export interface PeriodQuery {
  /** Null for no limit. */
  start: Date | null
  /** Null for now. */
  end: Date | null
  granularity: Granularity
  limit: number
  offset: number
}

export interface SelectedPeriods {
  /** Newest first, without gaps. */
  periods: Period[]
  /** The range, rounded outwards to the resolution of usage, and without windows that have not begun. */
  start: Date | null
  end: Date
}

/** Selects a page of the windows of a range, up to and including the current window. */
export function selectPeriods({ start, end, granularity, limit, offset }: PeriodQuery, now: Date): SelectedPeriods {
  const { unitMs, startOf, move } = WINDOWS[granularity]
  const horizon = move(startOf(now.getTime()), 1)
  const rangeEnd = end ? Math.min(Math.ceil(end.getTime() / unitMs) * unitMs, horizon) : horizon
  // There is no usage before 1970, and negative times only cause trouble.
  const requestedStart = start && Math.max(0, Math.floor(start.getTime() / unitMs) * unitMs)
  const rangeStart = requestedStart ?? 0

  const newest = startOf(rangeEnd - 1)
  const periods: Period[] = []
  for (let place = offset; place < offset + limit; place++) {
    const windowStart = move(newest, -place)
    const from = Math.max(windowStart, rangeStart)
    const to = Math.min(move(windowStart, 1), rangeEnd)
    if (from >= to) break
    periods.push({ windowStart: new Date(windowStart), start: new Date(from), end: new Date(to) })
  }
  return { periods, start: requestedStart === null ? null : new Date(requestedStart), end: new Date(rangeEnd) }
}
