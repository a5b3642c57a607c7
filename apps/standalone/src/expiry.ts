import { z } from 'zod'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const DURATION = /^(\d{1,6})([mhdw])$/
const TIME = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** The latest expiry: PostgreSQL and people expect years with four digits. */
const MAX_TIME = Date.UTC(9999, 0)

/** Returns when a key created at `now` expires. */
export type Expiry = (now: Date) => Date

/** Parses a duration such as 30m, 12h, 90d or 4w; returns undefined for any other text. */
export function parseExpiryDuration(text: string): Expiry | undefined {
  const [, amount, unit] = DURATION.exec(text) ?? []
  const ms = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return ms > 0 ? (now) => new Date(Math.min(now.getTime() + ms, MAX_TIME)) : undefined
}

/** Parses a date or a time, in UTC unless it has an offset; returns undefined for any other text. */
export function parseExpiryTime(text: string): Expiry | undefined {
  return TIME.safeParse(text).success ? () => new Date(text) : undefined
}
