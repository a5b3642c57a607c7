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

interface Paragraphs {
  /** Takes the next cues and gives the paragraphs they complete, as folded plain text. */
  add(cues: Cue[]): string[]
  end(): string[]
}

/**
 * Joins cues to paragraphs. One ends at a pause of two seconds, at a change of speaker (`>>`), with the sentence after
 * 600 characters, and at the latest after 1,200. How the cues are dealt out to `add` makes no difference.
 */
export const createParagraphs = (): Paragraphs => {
  let text = ''
  let endMs = 0

  const flush = (): string[] => {
    const paragraph = text
    text = ''
    return paragraph === '' ? [] : [paragraph]
  }

  const append = (line: string): string[] => {
    const done: string[] = []
    const space = spaceBetween(text, line)
    let border = text.length + space.length
    text += space + line
    for (let cut = cutOf(text, border); cut > 0; cut = cutOf(text, border)) {
      done.push(text.slice(0, cut).trimEnd())
      text = text.slice(cut).trimStart()
      border -= cut
    }
    return done
  }

  const addCue = (cue: Cue): string[] => {
    const line = foldText(cue.text)
    if (line === '') return []
    const breaks = cue.startMs - endMs >= PAUSE_MS || line.startsWith(SPEAKER_CHANGE)
    endMs = cue.startMs + cue.durationMs
    return breaks ? [...flush(), ...append(line)] : append(line)
  }

  return { add: (cues) => cues.flatMap(addCue), end: flush }
}
