/** Far longer than any recording. A larger time is a mistake. */
const MAX_HOURS = 9_999

/** Returns the milliseconds of the parts of a time, as text, or null if they are not one. */
export function toMilliseconds(hours = '0', minutes = '0', seconds = '0', fraction = ''): number | null {
  if (Number(hours) > MAX_HOURS) return null
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return whole * 1_000 + Math.round(Number(`0.${fraction || '0'}`) * 1_000)
}

/** Returns whole milliseconds, or null for what is not a time of a recording. */
export const roundMilliseconds = (value: number): number | null =>
  Math.abs(value) <= MAX_HOURS * 3_600_000 ? Math.round(value) : null

const FRACTION = String.raw`\d{1,3}|\d{6}|\d{9}`
/** `1:02:03.456`, `02:03,456`, `02:03`, `3.456`. Hours have any number of digits. */
const TIME = new RegExp(
  String.raw`^(-?)(?:(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:\s?[.,:]\s?(${FRACTION}))?|(\d{1,9})[.,](${FRACTION}))$`,
)

/** Parses a time of a line of times. Returns null for what is not one. */
export function parseClock(text: string): number | null {
  const parts = TIME.exec(text)
  if (!parts) return null
  const [, sign, hours, minutes, seconds, fraction, plainSeconds, plainFraction] = parts
  const value =
    plainSeconds === undefined
      ? toMilliseconds(hours, minutes, seconds, fraction)
      : toMilliseconds('0', '0', plainSeconds, plainFraction)
  return value !== null && sign ? -value : value
}
