import type { Cue } from '@subtext/contracts'
import { alignToPair, foldText, spaceBetween } from './fold-text.ts'

const PAUSE_MS = 2_000
/** From this length on a paragraph ends with its sentence. */
const SOFT_CHARS = 600
/** No paragraph is longer, sentence or not. */
const HARD_CHARS = 1_200

// Full stops of the Latin, Greek, Arabic and Indic scripts need a space after them; those of Chinese and Japanese do not.
const SENTENCE_END = /[.!?…؟۔।॥]["'”’»)\]]*(?=$| [^\p{Ll}])|[。！？｡]["”’」』）】]*/gu
const JOINS_PREVIOUS = /^[\p{M}\p{Cs}\u200d]/u
const SPEAKER_CHANGE = '>>'

/** Length of the paragraph that `text` begins with, 0 while it may still grow. `border` is where its last cue starts. */
const cutOf = (text: string, border: number): number => {
  if (text.length < SOFT_CHARS) return 0
  SENTENCE_END.lastIndex = SOFT_CHARS - 1
  const sentence = SENTENCE_END.exec(text.slice(0, HARD_CHARS))
  if (sentence) return sentence.index + sentence[0].length
  if (text.length <= HARD_CHARS) return 0
  if (border >= SOFT_CHARS && border <= HARD_CHARS) return border
  const space = text.lastIndexOf(' ', HARD_CHARS)
  if (space >= SOFT_CHARS) return space
  let cut = HARD_CHARS
  while (cut > SOFT_CHARS && JOINS_PREVIOUS.test(text.slice(cut, cut + 2))) cut--
  return alignToPair(text, cut)
}

export interface Paragraph {
  /** Start of the cue the paragraph begins in. */
  startMs: number
  /** Folded plain text. */
  text: string
}

interface Paragraphs {
  /** Takes the next cues and gives the paragraphs they complete. */
  add(cues: Cue[]): Paragraph[]
  end(): Paragraph[]
}

/** Where in the growing text a cue begins. */
interface Mark {
  at: number
  startMs: number
}

/**
 * Joins cues to paragraphs. One ends at a pause of two seconds, at a change of speaker (`>>`), before the first cue at
 * or after each of `breaks` (milliseconds, ascending), with the sentence after 600 characters, and at the latest after
 * 1,200. How the cues are dealt out to `add` makes no difference.
 */
export const createParagraphs = (breaks: number[] = []): Paragraphs => {
  let text = ''
  let marks: Mark[] = []
  let endMs = 0
  let breaksPassed = 0

  const flush = (): Paragraph[] => {
    const paragraph = { startMs: marks[0]?.startMs ?? 0, text }
    text = ''
    marks = []
    return paragraph.text === '' ? [] : [paragraph]
  }

  /** Ends a paragraph before `cut`; the next begins with the first word after it. */
  const cutAt = (cut: number): Paragraph => {
    const paragraph = { startMs: marks[0]?.startMs ?? 0, text: text.slice(0, cut).trimEnd() }
    const rest = text.slice(cut).trimStart()
    const removed = text.length - rest.length
    text = rest
    const first = rest === '' ? marks.length : marks.findLastIndex((mark) => mark.at <= removed)
    marks = marks.slice(first).map(({ at, startMs }) => ({ at: at - removed, startMs }))
    return paragraph
  }

  const borderOf = (): number => marks.at(-1)?.at ?? 0

  const append = (line: string, startMs: number): Paragraph[] => {
    const done: Paragraph[] = []
    const space = spaceBetween(text, line)
    text += space
    marks.push({ at: text.length, startMs })
    text += line
    for (let cut = cutOf(text, borderOf()); cut > 0; cut = cutOf(text, borderOf())) done.push(cutAt(cut))
    return done
  }

  const passBreaks = (startMs: number): boolean => {
    const before = breaksPassed
    while (breaksPassed < breaks.length && (breaks[breaksPassed] ?? 0) <= startMs) breaksPassed++
    return breaksPassed > before
  }

  const addCue = (cue: Cue): Paragraph[] => {
    const line = foldText(cue.text)
    if (line === '') return []
    const atBreak = passBreaks(cue.startMs)
    const begins = atBreak || cue.startMs - endMs >= PAUSE_MS || line.startsWith(SPEAKER_CHANGE)
    endMs = cue.startMs + cue.durationMs
    return begins ? [...flush(), ...append(line, cue.startMs)] : append(line, cue.startMs)
  }

  return { add: (cues) => cues.flatMap(addCue), end: flush }
}
