import type { Cue } from '@subtext/contracts'
import { createCueList, MAX_RAW_LENGTH } from './cue-list.ts'
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
const rateMultiplierOf = (attributes: string): number => {
  const [, numerator, denominator] =
    /\sttp:frameRateMultiplier\s{0,8}=\s{0,8}["'](\d{1,9})[ :](\d{1,9})["']/.exec(attributes) ?? []
  return Number(numerator) / Number(denominator) || 1
}
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
  const frames = (frameRateOf(attributes) || 30) * rateMultiplierOf(attributes)
  return { frames, ticks: tickRateOf(attributes) || (frameRateOf(attributes) ? frames : 1) }
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1)

/** A paragraph, or a span with times of its own. A time is null where neither it nor what it is in has one. */
export interface TtmlParagraph {
  startMs: number | null
  endMs: number | null
  durationMs: number | null
  /** Entities are not decoded. White space that only formats the document is one space. */
  text: string
}

type Times = Omit<TtmlParagraph, 'text'>

const readTimes = (attributes: string, rates: Rates): Times => ({
  startMs: parseTime(beginOf(attributes), rates),
  endMs: parseTime(endOf(attributes), rates),
  durationMs: parseTime(durationOf(attributes), rates),
})

const hasTimes = ({ startMs, endMs }: Times): boolean => startMs !== null || endMs !== null

/** Scans a TTML document for its paragraphs. One without times has those of its `<div>`. */
export const scanTtml = (document: string, onParagraph: (paragraph: TtmlParagraph) => void): void => {
  let rates: Rates = { frames: 30, ticks: 1 }
  let around: Times | null = null
  let paragraph: TtmlParagraph | null = null
  const close = (): void => {
    if (paragraph) onParagraph(paragraph)
    paragraph = null
  }
  const open = (times: Times): void => {
    close()
    paragraph = { ...(hasTimes(times) || !around ? times : around), text: '' }
  }
  scanMarkup(document, {
    open(prefixed, attributes) {
      const name = withoutPrefix(prefixed)
      if (name === 'tt') rates = readRates(attributes)
      else if (name === 'div') around = readTimes(attributes, rates)
      else if (name === 'p') open(readTimes(attributes, rates))
      else if (name === 'br' && paragraph) paragraph.text += '\n'
      else if (name === 'span' && paragraph) {
        const times = readTimes(attributes, rates)
        if (times.startMs !== null) open(times)
      }
    },
    close(prefixed) {
      const name = withoutPrefix(prefixed)
      if (name === 'p') close()
      else if (name === 'div') around = null
    },
    text(raw) {
      if (paragraph) paragraph.text += raw.replace(/\s+/g, ' ')
    },
  })
}

/**
 * Parses a TTML document: `<p begin end>` or `<p begin dur>` with text, `<span>` and `<br/>`. Works like `parseJson3`: cues
 * without text or time are skipped, and a missing end is a duration of 0.
 */
export const parseTtml = (document: string): Cue[] => {
  const { cues, add } = createCueList()
  scanTtml(document, ({ startMs, endMs, durationMs, text }) => {
    const lastsMs = durationMs ?? (endMs ?? 0) - (startMs ?? 0)
    add(startMs, Math.max(0, lastsMs), decodeEntities(text.slice(0, MAX_RAW_LENGTH)))
  })
  return cues
}
