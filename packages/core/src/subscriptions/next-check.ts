/**
 * Returns when a source is looked at next. Each has its own place in the interval, so that the checks of all are spread over it,
 * however many subscriptions were made at once.
 */
export function nextCheckAt(sourceId: string, now: Date, intervalMs: number): Date {
  const phase = Math.floor((Number.parseInt(sourceId.slice(-8), 16) / 0x1_0000_0000) * intervalMs)
  const time = now.getTime()
  return new Date(Math.floor((time - phase) / intervalMs) * intervalMs + phase + intervalMs)
}
