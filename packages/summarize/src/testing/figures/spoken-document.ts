import { at } from '@subtext/runtime'
import type { SummarySource } from '../../summarizer.ts'
import { type Labeled, labelWords } from '../../training/sentences-of.ts'
import { newSource } from '../source.ts'

/** A text whose full stops tell where its sentences end. */
export interface SpokenDocument {
  language: string
  title: string
  paragraphs: string[]
  /** Summaries by people. */
  references?: string[]
}

/** A document as automatic captions have it, and what they do not tell. */
export interface SpokenTrack {
  document: SpokenDocument
  source: SummarySource
  /** Words; characters where words are not separated by spaces. */
  units: string[]
  /** Positions in `units` at which sentences begin, and the end of the text. */
  starts: ReadonlySet<number>
  /** Position of the first unit of each line, and the end of the text. */
  lines: number[]
}

const MS_PER_CHAR = 65
/** Rolling captions stay on screen while the next line is shown. */
const OVERLAP_MS = 1_500
const LINE_CHARS = { spaced: 36, unspaced: 18 }

export const isUnspaced = (language: string): boolean => /^(?:ja|zh|yue)/.test(language)

/** Returns what a text consists of, without punctuation and capitals. */
export const listUnits = (text: string, language: string): string[] =>
  (isUnspaced(language)
    ? text.toLowerCase().match(/[\p{L}\p{N}]\p{M}*/gu)
    : text.toLowerCase().match(/[\p{L}\p{M}\p{N}$%'’]+/gu)) ?? []

const splitCharacters = ({ words, ends }: Labeled, language: string) =>
  words.flatMap(({ text }, i) => {
    const characters = listUnits(text, language)
    return characters.map((unit, k) => ({ unit, isEnd: ends[i] === 1 && k === characters.length - 1 }))
  })

/** Removes punctuation and capitals from a document, and breaks it into overlapping lines without regard to sentences. */
export function speakDocument(document: SpokenDocument): SpokenTrack {
  const { language, title, paragraphs } = document
  const unspaced = isUnspaced(language)
  const labeled = labelWords(paragraphs, language)
  const marked = unspaced
    ? splitCharacters(labeled, language)
    : labeled.words.map(({ text }, i) => ({ unit: text, isEnd: labeled.ends[i] === 1 }))
  const units = marked.map(({ unit }) => unit)
  const starts = new Set([0, units.length])
  for (const [i, { isEnd }] of marked.entries()) if (isEnd) starts.add(i + 1)
  const texts: string[] = []
  const lines: number[] = []
  let isFull = true
  for (const [i, unit] of units.entries()) {
    if (isFull) lines.push(i)
    const text: string = isFull ? unit : `${texts.pop()}${unspaced ? '' : ' '}${unit}`
    texts.push(text)
    isFull = text.length > (unspaced ? LINE_CHARS.unspaced : LINE_CHARS.spaced)
  }
  lines.push(units.length)
  let startMs = 0
  const cues = texts.map((text) => {
    const cue = { startMs, durationMs: text.length * MS_PER_CHAR + OVERLAP_MS, text }
    startMs += text.length * MS_PER_CHAR
    return cue
  })
  return { document, source: newSource(cues, { language, title, kind: 'auto' }), units, starts, lines }
}

/** Returns the units of the lines with these ids. */
export const rangeOfLines = ({ lines }: SpokenTrack, ids: readonly number[]): { from: number; to: number } => ({
  from: at(lines, (ids[0] ?? 1) - 1),
  to: at(lines, ids.at(-1) ?? 1),
})
