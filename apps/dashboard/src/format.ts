import { serviceNow } from './service-clock.ts'

/** Formats a position in a video as `m:ss` or `h:mm:ss`. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** The pages are in English: with the words or digits of another language, they would mix two. */
export const selectLocale = (preferred: string): string => (/^en\b/i.test(preferred) ? preferred : 'en')

const LOCALE = selectLocale(new Intl.NumberFormat().resolvedOptions().locale)

const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })
const zoned = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
})
const dayOfYear = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' })
const utcDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' })
const clock = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const number = new Intl.NumberFormat(LOCALE)

export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso))
/** Formats a time to the second. */
export const formatExactTime = (iso: string): string => exact.format(new Date(iso))
/** Formats a time and names the zone, where a mistake would cost hours. */
export const formatZonedTime = (iso: string): string => zoned.format(new Date(iso))
export const formatDay = (iso: string): string => day.format(new Date(iso))
/** Formats the time of a day. */
export const formatClock = (time: Date): string => clock.format(time)
/** Formats a day that is counted in UTC. */
export const formatUtcDay = (iso: string): string => utcDay.format(new Date(iso))
export const formatNumber = (value: number): string => number.format(value)
/** Formats a number of things, such as "1 video" or "2 videos". */
export const formatCount = (value: number, one: string, more = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : more}`

/** Formats an amount in US dollars, with as many digits as one of the size `scale` needs. */
export function formatUsd(value: number, scale = value): string {
  const digits = scale === 0 || scale >= 0.1 ? 2 : 4
  return new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value)
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' })

/** Formats a time as "5 minutes ago" or "in 2 hours". */
export function formatRelative(iso: string, now = serviceNow()): string {
  const seconds = (Date.parse(iso) - now) / 1_000
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return relative.format(Math.round(seconds / size), unit)
}

/** Formats a time in a list: how long ago it was within an hour, and otherwise the time that tells it from others. */
export function formatMoment(iso: string, now = serviceNow()): string {
  const [time, today] = [new Date(iso), new Date(now)]
  if (Math.abs(time.getTime() - now) < 3_600_000) return formatRelative(iso, now)
  if (time.toDateString() === today.toDateString()) return formatClock(time)
  return time.getFullYear() === today.getFullYear() ? dayOfYear.format(time) : formatDateTime(iso)
}

const languages = new Intl.DisplayNames(LOCALE, { type: 'language' })

/** Returns the name of a language (BCP-47), or the tag itself if it has none. */
export function nameLanguage(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

/** Formats a range of amounts in US dollars, such as "$0.0004 to $0.0012". */
export function formatUsdRange({ low, high }: { low: number; high: number }): string {
  const [from, to] = [formatUsd(low), formatUsd(high)]
  return from === to ? from : `${from} to ${to}`
}

/** Formats a length of time, such as "40 s", "12 min" or "3 h". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** Shortens a URL to its distinctive part, such as `youtube.com/watch?v=…`. */
export const formatUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '')
