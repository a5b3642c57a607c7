import type { Cue, Pause } from '@subtext/contracts'
import type { Pace } from '../pacer.ts'
import { type CleanText, cleanCueText, cleanNoteText, isReadable } from './cue-text.ts'

/** A cue after cleaning. */
export interface Line {
  /** Position in the transcript, from 1. */
  id: number
  startMs: number
  endMs: number
  text: string
  /** Another speaker begins here. */
  isNewSpeaker: boolean
  /** The silences before its words; null if the track does not tell. */
  pauses: readonly Pause[] | null
}

/** Joined lines, few enough to be segmented at once. */
export interface Block {
  text: string
  lines: Line[]
  /** Offset in `text` at which each line begins. */
  offsets: number[]
  /** Silence before each line in milliseconds. */
  pauses: number[]
  /** Silences that stand out in this transcript, in milliseconds; null if its words have no times. */
  longPauseMs: number | null
  /** Whether the text was cut, for its length, before this block or behind it, perhaps within a sentence. */
  isContinuation: boolean
  isContinued: boolean
}

const newBlock = (isContinuation: boolean, longPauseMs: number | null): Block => ({
  text: '',
  lines: [],
  offsets: [],
  pauses: [],
  longPauseMs,
  isContinuation,
  isContinued: false,
})

const BLOCK_CHARS = 6_000
/** The number of lines by which a block may exceed its size until a sentence ends. */
const BLOCK_SLACK = 30
const SENTENCE_END = /[.!?…。！？।॥۔؟]["'”’»)）」』]*$/u

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** Returns the readable lines; the stage notes if the transcript has nothing else; none if it has no letter at all. */
export async function buildLines(cues: Cue[], pace: Pace): Promise<Line[]> {
  const lines: Line[] = []
  const collect = async (clean: (raw: string) => CleanText) => {
    for (const [index, cue] of cues.entries()) {
      await pace()
      const { text, isNewSpeaker } = clean(cue.text)
      if (!isReadable(text)) continue
      const endMs = cue.startMs + Math.max(0, cue.durationMs)
      const pauses = cue.pauses && countWords(text) === countWords(cue.text) ? cue.pauses : null
      lines.push({ id: index + 1, startMs: cue.startMs, endMs, text, isNewSpeaker, pauses })
    }
  }
  await collect(cleanCueText)
  if (lines.length === 0) await collect((raw) => ({ text: cleanNoteText(raw), isNewSpeaker: false }))
  return lines
}

/** Four times the speech of ten hours. A longer text is not speech and would waste memory. */
const MAX_CHARS = 2_000_000
const PASSAGE_LINES = 40

/** Returns all lines, or evenly spaced passages of a text with more than `maxChars` characters. */
export function sampleLines(lines: Line[], maxChars = MAX_CHARS): Line[] {
  const share = maxChars / lines.reduce((sum, line) => sum + line.text.length, 1)
  if (share >= 1) return lines
  return lines.filter((_, index) => {
    const passage = Math.floor(index / PASSAGE_LINES)
    return Math.floor((passage + 1) * share) > Math.floor(passage * share)
  })
}

function medianMsPerChar(lines: Line[]): number {
  const rates: number[] = []
  for (const [i, line] of lines.entries()) {
    const next = lines[i + 1]
    if (next && next.startMs > line.startMs) rates.push((next.startMs - line.startMs) / line.text.length)
  }
  rates.sort((a, b) => a - b)
  return rates[rates.length >> 1] ?? 0
}

/**
 * Returns the pause between two lines in milliseconds. Rolling captions stay on screen while the next line is already shown,
 * so that their durations hide the pauses; there the pause is the time a line took beyond the usual rate of speech.
 */
function pauseBetween(line: Line, next: Line, msPerChar: number): number {
  const silence = next.startMs - line.endMs
  const slack = next.startMs - line.startMs - line.text.length * msPerChar
  return Math.max(0, silence, Math.min(slack, 3_000))
}

/** One word in nine follows a long silence, one in 50 at least. */
const LONG_PAUSES = { most: 0.11, least: 0.02 }
const MIN_LONG_PAUSE_MS = 200

/**
 * Returns how long the silences are that stand out in a transcript: people speak at different paces, and the time that a word takes
 * is only estimated. Null if few words have times, or none follows a silence.
 */
function findLongPause(lines: Line[]): number | null {
  let words = 0
  const silences: number[] = []
  for (const { text, pauses } of lines) {
    if (!pauses) continue
    words += countWords(text)
    for (const [, milliseconds] of pauses) silences.push(milliseconds)
  }
  if (words === 0 || silences.length < words * LONG_PAUSES.least) return null
  silences.sort((a, b) => b - a)
  return Math.max(MIN_LONG_PAUSE_MS, silences[Math.floor(words * LONG_PAUSES.most)] ?? 0)
}

const UNSPACED_END =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、，。！？」』）]$/u
const UNSPACED_START =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}、，。！？「『（]/u

interface JoinOptions {
  /** People break unpunctuated lines where the meaning does, and a space preserves that; machines break them anywhere. */
  writtenByPeople: boolean
}

const CHARS_PER_MARK = 80

function isUnpunctuated(lines: Line[]): boolean {
  const sample = lines
    .slice(0, 500)
    .map((line) => line.text)
    .join('')
  return (sample.match(/[、，。！？,.!?]/gu)?.length ?? 0) < sample.length / CHARS_PER_MARK
}

const separatorOf = (before: string, after: string, spaced: boolean): string =>
  spaced || !UNSPACED_END.test(before) || !UNSPACED_START.test(after) ? ' ' : ''

const isBlockFull = (chars: number, overdueLines: number, last: Line): boolean =>
  chars >= BLOCK_CHARS && (overdueLines >= BLOCK_SLACK || SENTENCE_END.test(last.text))

export async function buildBlocks(lines: Line[], options: JoinOptions, pace: Pace): Promise<Block[]> {
  const msPerChar = medianMsPerChar(lines)
  const spaced = options.writtenByPeople && isUnpunctuated(lines)
  const longPauseMs = findLongPause(lines)
  const blocks: Block[] = []
  let block = newBlock(false, longPauseMs)
  let overdueLines = 0
  for (const line of lines) {
    const last = block.lines.at(-1)
    if (last && isBlockFull(block.text.length, overdueLines, last)) {
      blocks.push(block)
      block.isContinued = !SENTENCE_END.test(last.text)
      block = newBlock(block.isContinued, longPauseMs)
      overdueLines = 0
      await pace()
    } else if (last) {
      block.text += separatorOf(last.text, line.text, spaced)
    }
    if (block.text.length >= BLOCK_CHARS) overdueLines++
    block.offsets.push(block.text.length)
    block.pauses.push(last && block.lines.length > 0 ? pauseBetween(last, line, msPerChar) : 0)
    block.lines.push(line)
    block.text += line.text
  }
  if (block.lines.length > 0) blocks.push(block)
  return blocks
}
