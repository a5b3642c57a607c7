import { formatClock } from '@subtext/render'

// Formats of `Intl`, with the digits that the rest of the picture uses, whatever the language.
const withLatinDigits = (tag: string): string => `${new Intl.Locale(tag, { numberingSystem: 'latn' })}`

const write = (tag: string, unit: 'second' | 'minute' | 'hour', value: number): string =>
  new Intl.NumberFormat(withLatinDigits(tag), { style: 'unit', unit, unitDisplay: 'short' }).format(value)

const SECONDS_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

/** Writes a duration in whole minutes, or in seconds if it is less than one, in words of the language. */
export function writeDuration(ms: number, tag: string): string {
  const seconds = Math.max(1, Math.round(ms / 1_000))
  if (seconds < SECONDS_PER_MINUTE) return write(tag, 'second', seconds)
  const minutes = Math.round(ms / 60_000)
  if (minutes < MINUTES_PER_HOUR) return write(tag, 'minute', minutes)
  const [hours, rest] = [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR]
  return rest === 0 ? write(tag, 'hour', hours) : `${write(tag, 'hour', hours)} ${write(tag, 'minute', rest)}`
}

/** Shorter ones may differ by less than a minute. */
const MIN_WHOLE_MINUTES_MS = 600_000

/** Writes durations that are compared, all in one form: like the times of a video if any of them is short. */
export const writeDurations = (durationsMs: number[], tag: string): string[] =>
  durationsMs.some((ms) => ms < MIN_WHOLE_MINUTES_MS)
    ? durationsMs.map(formatClock)
    : durationsMs.map((ms) => writeDuration(ms, tag))

/** Writes the date of an ISO 8601 time, or an empty string if it is not valid. */
export function writeDate(time: string | null, tag: string): string {
  const date = new Date(time ?? '')
  if (Number.isNaN(date.getTime())) return ''
  return new Intl.DateTimeFormat(withLatinDigits(tag), { dateStyle: 'long', timeZone: 'UTC' }).format(date)
}

const SYMBOL = /^[\p{S}\p{P}°%]/u
/** Languages that write a space before the percent sign. */
const SPACED_PERCENT = new Set(['de', 'fr', 'es', 'ru', 'sv', 'nb', 'da', 'fi', 'cs', 'sk'])
const CURRENCY_FIRST = /^[$£¥₹₩]$/
const UNSPACED = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u

/** Writes a number with its unit. Longer units belong to the label: see `isShortUnit`. */
export function writeFigure(value: string, unit: string, tag: string): string {
  const shown = value.replace(/^-/, '−')
  if (unit === '') return shown
  if (CURRENCY_FIRST.test(unit)) return `${unit}${shown}`
  const isJoined =
    unit === '%' ? !SPACED_PERCENT.has(new Intl.Locale(tag).language) : UNSPACED.test(unit) || /^[°′″]$/.test(unit)
  return isJoined ? `${shown}${unit}` : `${shown}\u00a0${unit}`
}

const MAX_SHORT_UNIT = 9

/** Returns whether a unit is written next to its number, such as `kg` or `million €`. */
export const isShortUnit = (unit: string): boolean => unit.length <= MAX_SHORT_UNIT || SYMBOL.test(unit)
