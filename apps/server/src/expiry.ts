import { z } from 'zod'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const DURATION = /^(\d{1,6})([mhdw])$/
const TIME = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** The latest expiry: PostgreSQL and people expect years with four digits. */
const MAX_TIME = Date.UTC(9999, 0)

/** Returns when a key created at `now` expires; undefined if it never does. */
export type Expiry = (now: Date) => Date | undefined

/** Parses `--expires-in` (30m, 12h, 90d, 4w) or `--expires-at` (a date or a time; UTC unless it has an offset). */
export function parseExpiry(duration?: string, time?: string): { expiresAt: Expiry } | { error: string } {
  if (duration !== undefined && time !== undefined)
    return { error: 'Use either --expires-in or --expires-at, not both.' }
  if (duration !== undefined) {
    const [, amount, unit] = DURATION.exec(duration) ?? []
    const ms = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
    if (!(ms > 0)) return { error: '--expires-in takes a duration such as 12h, 90d or 4w.' }
    return { expiresAt: (now) => new Date(Math.min(now.getTime() + ms, MAX_TIME)) }
  }
  if (time === undefined) return { expiresAt: () => undefined }
  if (!TIME.safeParse(time).success) {
    return { error: '--expires-at takes a date or time such as 2027-01-31 or 2027-01-31T12:00:00Z.' }
  }
  const at = new Date(time)
  return { expiresAt: () => at }
}
