import type { Cue } from '@subtext/contracts'
import { alignToPair, foldText, spaceBetween } from './fold-text.ts'

const PAUSE_MS = 2_000
/** From this length on, a paragraph ends with its sentence. */
const SOFT_LIMIT = 600
/** Maximum length of a paragraph, even within a sentence. */
const HARD_LIMIT = 1_200

// In Latin, Greek, Arabic and Indic scripts, the end of a sentence is followed by a space; in Chinese and Japanese it is not.
const SENTENCE_END = /[.!?…؟۔।॥]["'”’»)\]]*(?=$| [^\p{Ll}])|[。！？｡]["”’」』）】]*/gu
const JOINS_PREVIOUS = /^[\p{M}\p{Cs}\u200d]/u
const SPEAKER_CHANGE = '>>'

/** Returns the length of the paragraph at the start of `text`, or 0 if it can still grow. `border`: start of the last cue. */
const cutOf = (text: string, border: number): number => {
  if (text.length < SOFT_LIMIT) return 0
  SENTENCE_END.lastIndex = SOFT_LIMIT - 1
  const sentence = SENTENCE_END.exec(text.slice(0, HARD_LIMIT))
  if (sentence) return sentence.index + sentence[0].length
  if (text.length <= HARD_LIMIT) return 0
  if (border >= SOFT_LIMIT && border <= HARD_LIMIT) return border
  const space = text.lastIndexOf(' ', HARD_LIMIT)
  if (space >= SOFT_LIMIT) return space
  let cut = HARD_LIMIT
  while (cut > SOFT_LIMIT && JOINS_PREVIOUS.test(text.slice(cut, cut + 2))) cut--
  return alignToPair(text, cut)
}

export interface Paragraph {
  /** Start of the cue in which the paragraph begins. */
  startMs: number
  /** Folded plain text. */
  text: string
  /** The segments that begin in it: their positions in the transcript, and where in `text` their own text begins. */
  segments: { id: number; at: number }[]
}

interface Paragraphs {
  /** Adds the next cues and returns the paragraphs that they complete. */
  add(cues: Cue[]): Paragraph[]
  /** Returns the last paragraph, if there is one. */
  end(): Paragraph[]
}

/** The position in the growing text at which a cue starts; negative if it started in the paragraph before. */
interface Mark {
  at: number
  startMs: number
  segmentId: number
}

const segmentsBefore = (end: number, marks: Mark[]): Paragraph['segments'] =>
  marks.filter(({ at }) => at >= 0 && at < end).map(({ at, segmentId }) => ({ id: segmentId, at }))

/**
 * Joins cues into paragraphs. A paragraph ends at a pause of two seconds, at a change of speaker (`>>`, or another name, which is
 * written before it), before the first cue at or after each of `breaks` (milliseconds, ascending), before each cue for which
 * `isBreak` holds (by its position from 1), with the sentence after 600 characters, and at the latest after 1,200. The result does
 * not depend on how the cues are distributed over calls of `add`.
 */
export const createParagraphs = (
  breaks: number[] = [],
  isBreak: (segmentId: number) => boolean = () => false,
): Paragraphs => {
  let text = ''
  let marks: Mark[] = []
  let endMs = 0
  let breaksPassed = 0
  let count = 0
  let speaker: string | undefined

  const flush = (): Paragraph[] => {
    const paragraph = { startMs: marks[0]?.startMs ?? 0, text, segments: segmentsBefore(text.length, marks) }
    text = ''
    marks = []
    return paragraph.text === '' ? [] : [paragraph]
  }

  /** Ends the paragraph at `cut`. The next one starts with the first word after it. */
  const cutAt = (cut: number): Paragraph => {
    const paragraph = {
      startMs: marks[0]?.startMs ?? 0,
      text: text.slice(0, cut).trimEnd(),
      segments: segmentsBefore(cut, marks),
    }
    const rest = text.slice(cut).trimStart()
    const removed = text.length - rest.length
    text = rest
    const first = rest === '' ? marks.length : marks.findLastIndex((mark) => mark.at <= removed)
    marks = marks.slice(first).map((mark) => ({ ...mark, at: mark.at - removed }))
    return paragraph
  }

  const borderOf = (): number => marks.at(-1)?.at ?? 0

  const append = (line: string, startMs: number): Paragraph[] => {
    const completed: Paragraph[] = []
    const space = spaceBetween(text, line)
    text += space
    marks.push({ at: text.length, startMs, segmentId: count })
    text += line
    for (let cut = cutOf(text, borderOf()); cut > 0; cut = cutOf(text, borderOf())) completed.push(cutAt(cut))
    return completed
  }

  const passBreaks = (startMs: number): boolean => {
    const before = breaksPassed
    while (breaksPassed < breaks.length && (breaks[breaksPassed] ?? 0) <= startMs) breaksPassed++
    return breaksPassed > before
  }

  const addCue = (cue: Cue): Paragraph[] => {
    count++
    const line = foldText(cue.text)
    if (line === '') return []
    const atBreak = passBreaks(cue.startMs)
    const isOther = cue.speaker !== speaker
    speaker = cue.speaker
    const said = isOther && speaker !== undefined ? `${foldText(speaker)}: ${line}` : line
    const startsParagraph =
      isOther || atBreak || isBreak(count) || cue.startMs - endMs >= PAUSE_MS || line.startsWith(SPEAKER_CHANGE)
    endMs = cue.startMs + cue.durationMs
    return startsParagraph ? [...flush(), ...append(said, cue.startMs)] : append(said, cue.startMs)
  }

  return { add: (cues) => cues.flatMap(addCue), end: flush }
}
