import type { Cue } from '@subtext/contracts'
import { appendRaw, createCueList, MAX_RAW_LENGTH } from './cue-list.ts'
import { cueMilliseconds } from './cue-time.ts'
import { decodeEntities } from './entities.ts'
import { numberAttribute, scanMarkup } from './scan-markup.ts'

const timeAttribute = (name: string): ((attributes: string) => string | null) => {
  const pattern = new RegExp(String.raw`\s${name}\s{0,8}=\s{0,8}["']\s{0,8}([\d:.,]{1,30}(?:ms|[hmsft])?)`)
  return (attributes) => pattern.exec(attributes)?.[1] ?? null
}

const beginOf = timeAttribute('begin')
const endOf = timeAttribute('end')
const durationOf = timeAttribute('dur')
const frameRateOf = numberAttribute('(?:\\w{1,20}:)?frameRate')
const tickRateOf = numberAttribute('(?:\\w{1,20}:)?tickRate')

/** Units of a time, per second. Defaults as in https://www.w3.org/TR/ttml2/#parameter-vocabulary-attributes. */
interface Rates {
  frames: number
  ticks: number
}

const CLOCK = /^(\d{1,4}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9})|:(\d{1,4})(?:\.\d{1,4})?)?$/
const OFFSET = /^(\d{1,15}(?:\.\d{1,9})?)(ms|[hmsft])$/

/** Parses a time expression: https://www.w3.org/TR/ttml2/#timing-value-time-expression. */
const parseTime = (text: string | null, { frames, ticks }: Rates): number | null => {
  if (text === null) return null
  const clock = CLOCK.exec(text)
  if (clock) {
    const [, hours, minutes, seconds, fraction = '', frame = '0'] = clock
    const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
    return cueMilliseconds((whole + Number(`0.${fraction || '0'}`) + Number(frame) / frames) * 1000)
  }
  const [, value, unit = ''] = OFFSET.exec(text) ?? []
  const perUnit = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, f: 1_000 / frames, t: 1_000 / ticks }[unit]
  return value === undefined || perUnit === undefined ? null : cueMilliseconds(Number(value) * perUnit)
}

const readRates = (attributes: string): Rates => {
  const frames = frameRateOf(attributes) || 30
  return { frames, ticks: tickRateOf(attributes) || (frameRateOf(attributes) ? frames : 1) }
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/**
 * Parses a TTML document: `<p begin end>` or `<p begin dur>` with text, `<span>` and `<br/>`. Works like `parseJson3`: cues
 * without text or time are skipped, and a missing end is a duration of 0. White space that only formats the document is one
 * space.
 */
export const parseTtml = (document: string): Cue[] => {
  const { cues, add } = createCueList()
  let rates: Rates = { frames: 30, ticks: 1 }
  let cue: { startMs: number | null; durationMs: number; text: string } | null = null
  const close = (): void => {
    if (cue) add(cue.startMs, cue.durationMs, cue.text)
    cue = null
  }
  scanMarkup(document, {
    open(prefixed, attributes) {
      const name = withoutPrefix(prefixed)
      if (name === 'tt') rates = readRates(attributes)
      else if (name === 'p') {
        close()
        const startMs = parseTime(beginOf(attributes), rates)
        const endMs = parseTime(endOf(attributes), rates)
        const lastsMs = parseTime(durationOf(attributes), rates) ?? (endMs ?? 0) - (startMs ?? 0)
        cue = { startMs, durationMs: Math.max(0, lastsMs), text: '' }
      } else if (name === 'br' && cue) cue.text = appendRaw(cue.text, '\n')
    },
    close(name) {
      if (withoutPrefix(name) === 'p') close()
    },
    text(raw) {
      if (!cue) return
      const text = decodeEntities(raw.slice(0, MAX_RAW_LENGTH)).replace(/\s+/g, ' ')
      cue.text = appendRaw(cue.text, text)
    },
  })
  return cues
}
