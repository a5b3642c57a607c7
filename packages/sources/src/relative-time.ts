const UNIT_MS: Record<string, number> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30.44 * 86_400_000,
  year: 365.25 * 86_400_000,
}

const AGO = /(?<![\d\p{L}])(\d{1,6}|an?)\s(second|minute|hour|day|week|month|year)s?\sago\b/iu

/** Returns the time that a text such as `Streamed 3 days ago` names, seen at `now`. Null for any other text. */
export function parseRelativeTime(text: string | null, now: Date): Date | null {
  const [, count = '', unit = ''] = AGO.exec(text ?? '') ?? []
  const unitMs = UNIT_MS[unit.toLowerCase()]
  if (unitMs === undefined) return null
  const ago = (/^\d/.test(count) ? Number(count) : 1) * unitMs
  const time = new Date(now.getTime() - ago)
  return Number.isNaN(time.getTime()) ? null : time
}
