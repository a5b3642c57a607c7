const MAX_URL = 2_048

/** Returns an absolute http(s) address, or null if it is none. */
export function toHttpUrl(text: string, base: string): string | null {
  const url = URL.parse(text.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href.length <= MAX_URL ? url.href : null
}

const EARLIEST = Date.UTC(1990, 0, 1)
const LATEST = Date.UTC(2200, 0, 1)

/** Reads the time of a feed: RFC 822 as people write it, or ISO 8601. Null for what is no time. */
export function readTime(text: string | null): string | null {
  if (text === null) return null
  const trimmed = text.slice(0, 100).trim()
  // "13:30:33+0900" lacks a blank, and "ep. Mon," are names of days in other languages.
  const spaced = trimmed.replace(/(\d\d:\d\d(?::\d\d)?)([+-]\d{4})$/, '$1 $2')
  const time = [spaced, spaced.replace(/^\D{2,12}?,?\s+(?=\d)/, '')].map(Date.parse).find((ms) => !Number.isNaN(ms))
  return time !== undefined && time >= EARLIEST && time < LATEST ? new Date(time).toISOString() : null
}

const MAX_SECONDS = 1_000_000

/** Reads a duration: seconds, `mm:ss` or `hh:mm:ss`. */
export function readDuration(text: string | null): number | null {
  const parts = (text ?? '').trim().split(':')
  if (parts.length > 3 || !parts.every((part) => /^\d{1,6}(?:\.\d{1,6})?$/.test(part))) return null
  const seconds = Math.round(parts.reduce((sum, part) => sum * 60 + Number(part), 0))
  return seconds > 0 && seconds <= MAX_SECONDS ? seconds : null
}
