import { z } from 'zod'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
const DURATION = /^(\d{1,6})([mhdw])$/
const TIME = z.union([z.iso.datetime({ offset: true }), z.iso.date()])
/** PostgreSQL and people agree on years of four digits. */
const LATEST = Date.UTC(9999, 0)

/** When a key ends, reckoned from now; undefined: never. */
export type Expiry = (now: Date) => Date | undefined

/** Reads `--expires-in` (30m, 12h, 90d, 4w) or `--expires-at` (a day or a time, UTC where nothing else is said). */
export function parseExpiry(duration?: string, time?: string): { expiresAt: Expiry } | { fault: string } {
  if (duration !== undefined && time !== undefined) return { fault: 'Either --expires-in or --expires-at.' }
  if (duration !== undefined) {
    const [, amount, unit] = DURATION.exec(duration) ?? []
    const ms = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
    if (!(ms > 0)) return { fault: '--expires-in takes a duration such as 12h, 90d or 4w.' }
    return { expiresAt: (now) => new Date(Math.min(now.getTime() + ms, LATEST)) }
  }
  if (time === undefined) return { expiresAt: () => undefined }
  if (!TIME.safeParse(time).success)
    return { fault: '--expires-at takes a time such as 2027-01-31 or 2027-01-31T12:00:00Z.' }
  const at = new Date(time)
  return { expiresAt: () => at }
}
