import type { Cue } from '@subtext/contracts'
import type { Pace } from '../pacer.ts'
import { cleanCueText, cleanNoteText, isReadable } from './cue-text.ts'

/** A cue after cleaning. `id` is its 1-based position in the transcript. */
export interface Line {
  id: number
  startMs: number
  endMs: number
  text: string
  /** Another speaker begins here. */
  turn: boolean
}

/** A stretch of joined lines, small enough to be segmented at one go. */
export interface Block {
  text: string
  lines: Line[]
  /** Offset in `text` at which each line begins. */
  offsets: number[]
  /** Silence before each line in milliseconds. */
  pauses: number[]
}

const BLOCK_CHARS = 6_000
/** How many more lines a block may take while it waits for the end of a sentence. */
const BLOCK_SLACK = 30
const SENTENCE_END = /[.!?…。！？।॥۔؟]["'”’»)）」』]*$/u

/** Readable lines only. A transcript of nothing but stage notes gives the notes; one without any letter gives none. */
export const buildLines = async (cues: Cue[], pace: Pace): Promise<Line[]> => {
  const lines: Line[] = []
  const collect = async (clean: (raw: string) => { text: string; turn: boolean }) => {
    for (const [index, cue] of cues.entries()) {
      const { text, turn } = clean(cue.text)
      if (!isReadable(text)) continue
      const endMs = cue.startMs + Math.max(0, cue.durationMs)
      lines.push({ id: index + 1, startMs: cue.startMs, endMs, text, turn })
      await pace()
    }
  }
  await collect(cleanCueText)
  if (lines.length === 0) await collect((raw) => ({ text: cleanNoteText(raw), turn: false }))
  return lines
}

/** Four times the speech of ten hours. What has more is no speech, and would take memory for nothing. */
const MAX_CHARS = 2_000_000
const LINES_AT_ONCE = 40

/** All lines, or of an enormous text whole passages at even distances, from its beginning to its end. */
export const thinLines = (lines: Line[]): Line[] => {
  const share = MAX_CHARS / lines.reduce((sum, line) => sum + line.text.length, 1)
  if (share >= 1) return lines
  return lines.filter((_, index) => {
    const passage = Math.floor(index / LINES_AT_ONCE)
    return Math.floor((passage + 1) * share) > Math.floor(passage * share)
  })
}

const medianMsPerChar = (lines: Line[]): number => {
  const rates: number[] = []
  for (let i = 0; i + 1 < lines.length; i++) {
    const line = lines[i]
    const next = lines[i + 1]
    if (line && next && next.startMs > line.startMs) rates.push((next.startMs - line.startMs) / line.text.length)
  }
  rates.sort((a, b) => a - b)
  return rates[rates.length >> 1] ?? 0
}

/**
 * Rolling captions stay on screen while the next line is already shown, so their durations hide the pauses;
 * then the time the line took beyond the usual rate of speech is the pause.
 */
const pauseBetween = (line: Line, next: Line, msPerChar: number): number => {
  const silence = next.startMs - line.endMs
  const slack = next.startMs - line.startMs - line.text.length * msPerChar
  return Math.max(0, silence, Math.min(slack, 3_000))
}

const UNSPACED_END =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、，。！？」』）]$/u
const UNSPACED_START =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、，。！？「『（]/u

/** People break unpunctuated lines where the sense breaks, and a space keeps that; machines break anywhere. */
interface JoinOptions {
  writtenByPeople: boolean
}

const CHARS_PER_MARK = 80

const isUnpunctuated = (lines: Line[]): boolean => {
  const sample = lines
    .slice(0, 500)
    .map((line) => line.text)
    .join('')
  return (sample.match(/[、，。！？,.!?]/gu)?.length ?? 0) < sample.length / CHARS_PER_MARK
}

const separatorOf = (before: string, after: string, spaced: boolean): string =>
  spaced || !UNSPACED_END.test(before) || !UNSPACED_START.test(after) ? ' ' : ''

const isBlockFull = (chars: number, overdue: number, last: Line): boolean =>
  chars >= BLOCK_CHARS && (overdue >= BLOCK_SLACK || SENTENCE_END.test(last.text))

export const buildBlocks = async (lines: Line[], options: JoinOptions, pace: Pace): Promise<Block[]> => {
  const msPerChar = medianMsPerChar(lines)
  const spaced = options.writtenByPeople && isUnpunctuated(lines)
  const blocks: Block[] = []
  let block: Block = { text: '', lines: [], offsets: [], pauses: [] }
  let overdue = 0
  for (const line of lines) {
    const last = block.lines.at(-1)
    if (last && isBlockFull(block.text.length, overdue, last)) {
      blocks.push(block)
      block = { text: '', lines: [], offsets: [], pauses: [] }
      overdue = 0
      await pace()
    } else if (last) {
      block.text += separatorOf(last.text, line.text, spaced)
    }
    if (block.text.length >= BLOCK_CHARS) overdue++
    block.offsets.push(block.text.length)
    block.pauses.push(last && block.lines.length > 0 ? pauseBetween(last, line, msPerChar) : 0)
    block.lines.push(line)
    block.text += line.text
  }
  if (block.lines.length > 0) blocks.push(block)
  return blocks
}
