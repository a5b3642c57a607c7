import { parseClock } from './clock.ts'
import { listLines, type TextLine } from './lines.ts'
import { type RawCaptions, type RawCue, refuseTooMany } from './raw-cue.ts'

interface Timing {
  startMs: number
  endMs: number
}

const ARROW = /(?:--?[ \t]?>|[–—]>|→)[ \t\f]*/
/** What may follow the second time: positions and other settings, which begin behind a blank. A NUL stands for one character. */
const SECOND_TIME = /^(-?[\d:]+(?:\s?[.,]\s?\d+)?)(?:(?=[ \t\f]|$)|(?<=\.\d{3})(?=\0))/

/** Parses the line of times of SubRip and WebVTT. Returns null for a line that is none. */
export function parseTimingLine(line: string): Timing | null {
  if (!line.includes('>') && !line.includes('→')) return null
  const arrow = ARROW.exec(line)
  if (!arrow) return null
  const startMs = parseClock(line.slice(0, arrow.index).trim())
  if (startMs === null) return null
  const [end = ''] = SECOND_TIME.exec(line.slice(arrow.index + arrow[0].length)) ?? []
  const endMs = parseClock(end)
  return endMs === null ? null : { startMs, endMs }
}

const SBV_TIMES = /^\s*(-?\d{1,6}:\d{1,2}:\d{1,2}\.\d{1,3}),(-?\d{1,6}:\d{1,2}:\d{1,2}\.\d{1,3})\s*$/

/** Parses the line of times of SBV, such as `0:00:01.000,0:00:02.000`. */
export function parseSbvTimes(line: string): Timing | null {
  const [, start = '', end = ''] = SBV_TIMES.exec(line) ?? []
  const [startMs, endMs] = [parseClock(start), parseClock(end)]
  return startMs === null || endMs === null ? null : { startMs, endMs }
}

const NUMBER = /^\s*\d{1,9}\s*$/
/** A line of times that has a mistake: its cue is left out, as no time can be given to it. */
const BROKEN_TIMES = /^\s*-?[\d\0][\d:.,\0a-z]*\s*(?:--?\s?>|,\s*\d+:)/i

interface Dialect {
  parseTimes: (line: string) => Timing | null
  /** Whether a line ends the cue before it although it is no line of times. */
  isBroken: (line: string) => boolean
  isBlank: (line: string) => boolean
  /** Whether cues have names, and a paragraph without times is no part of the cue before it. */
  isVtt: boolean
}

const isBlank = (line: string): boolean => line.trim() === ''
const SUBRIP: Dialect = {
  parseTimes: parseTimingLine,
  isBroken: (line) => BROKEN_TIMES.test(line),
  isBlank,
  isVtt: false,
}
const WEBVTT: Dialect = {
  parseTimes: parseTimingLine,
  isBroken: (line) => line.includes('-->') || BROKEN_TIMES.test(line),
  // Rolling captions contain lines of a single blank, which do not end a cue.
  isBlank: (line) => line === '',
  isVtt: true,
}
const SBV: Dialect = { ...SUBRIP, parseTimes: parseSbvTimes }

/** Removes the number or name of the next cue, which stands right before its times, from the end of `lines`. */
function dropName(lines: string[], { isVtt }: Dialect): string[] {
  const last = lines.at(-1)
  if (last === undefined || isBlank(last)) return lines
  const before = lines.at(-2)
  // A number that is all of a cue is its text, as in a countdown.
  if (NUMBER.test(last)) return before === undefined ? lines : lines.slice(0, -1)
  return isVtt && before !== undefined && isBlank(before) ? lines.slice(0, -1) : lines
}

/**
 * Returns the text of a cue from the lines behind its times. A stray blank line does not end it in SubRip, nor anywhere if it
 * comes first; what looks like a cue without times does.
 */
function readText(lines: string[], { isBlank: endsParagraph, isVtt }: Dialect): string {
  const paragraphs: string[][] = [[]]
  for (const line of lines) {
    if (endsParagraph(line)) paragraphs.push([])
    else paragraphs.at(-1)?.push(line)
  }
  const [first = [], ...others] = paragraphs
  const beganBlank = first.length === 0
  const text = [first]
  for (const paragraph of others) {
    if (paragraph.length === 0) continue
    if ((isVtt && !beganBlank) || NUMBER.test(paragraph[0] ?? '')) break
    text.push(paragraph)
  }
  return text.flat().join('\n')
}

function readCues(lines: Iterable<TextLine>, dialect: Dialect): RawCue[] {
  const cues: RawCue[] = []
  let times: Timing | null = null
  let behind: string[] = []
  const close = (isBeforeTimes: boolean): void => {
    if (times) cues.push({ ...times, text: readText(isBeforeTimes ? dropName(behind, dialect) : behind, dialect) })
    times = null
    behind = []
  }
  for (const { number, text } of lines) {
    const next = dialect.parseTimes(text)
    if (next || dialect.isBroken(text)) close(true)
    if (next) times = next
    else if (times) behind.push(text)
    refuseTooMany(cues.length, number)
  }
  close(false)
  return cues
}

const LANGUAGE = /^Language:\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\s*$/
const SKIPPED_BLOCK = /^(?:NOTE|STYLE|REGION)(?:\s|$)/

export const isVtt = (document: string): boolean => /^WEBVTT(?:\s|$)/.test(document)

function* withoutComments(lines: Iterable<TextLine>): Generator<TextLine> {
  let previous = ''
  let skips = false
  for (const line of lines) {
    if (previous.trim() === '' && SKIPPED_BLOCK.test(line.text)) skips = true
    else if (line.text.trim() === '') skips = false
    if (!skips) yield line
    previous = line.text
  }
}

function findLanguage(document: string): string | undefined {
  for (const { number, text } of listLines(document.slice(0, 2_000))) {
    if (number > 1 && text.trim() === '') return undefined
    const [, language] = LANGUAGE.exec(text) ?? []
    if (language) return language
  }
  return undefined
}

/** Reads SubRip and WebVTT. A cue whose times cannot be read is left out. */
export const readTimingLines = (document: string): RawCaptions =>
  isVtt(document)
    ? { cues: readCues(withoutComments(listLines(document)), WEBVTT), language: findLanguage(document) }
    : { cues: readCues(listLines(document), SUBRIP) }

/** Reads SBV, the format of YouTube Studio. */
export const readSbv = (document: string): RawCaptions => ({ cues: readCues(listLines(document), SBV) })
