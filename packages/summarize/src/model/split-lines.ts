import { at } from '@subtext/runtime'
import type { PromptLine } from '../prompts/transcript-document.ts'
import { estimateLineTokens } from './estimate-tokens.ts'

/** Lines that are read in one call. */
export interface TranscriptPart {
  lines: PromptLine[]
  /** The last words before the part. */
  before: string
}

/** A part may end at a chapter or at a long pause from these shares of its maximum size on. */
const CHAPTER_FROM = 0.5
const PAUSE_FROM = 0.85
const OVERLAP_CHARS = 600
const OVERLAP_PER_TOKEN = 0.2

interface SizedLine {
  line: PromptLine
  size: number
}

/** Returns the index at which the next part begins; the lines `[from, end)` are all that fit into this one. */
function chooseEnd(lines: SizedLine[], from: number, end: number, maxTokens: number): number {
  let size = 0
  let chapter = 0
  let pause = 0
  let longest = -1
  for (const [offset, { line, size: lineSize }] of lines.slice(from, end).entries()) {
    const index = from + offset
    if (offset > 0 && line.chapters.length > 0 && size >= maxTokens * CHAPTER_FROM) chapter = index
    const silence = line.startMs - (lines[index - 1]?.line.startMs ?? line.startMs)
    if (offset > 0 && size >= maxTokens * PAUSE_FROM && silence > longest) {
      longest = silence
      pause = index
    }
    size += lineSize
  }
  return chapter || pause || end
}

function selectBefore(lines: PromptLine[], from: number, length: number): string {
  let before = ''
  for (let index = from - 1; index >= 0 && before.length < length; index--) {
    before = `${at(lines, index).text} ${before}`
  }
  return before.slice(-length).toWellFormed().trim()
}

/**
 * Splits lines into parts of at most `maxTokens` each; a longer line is a part of its own. The parts hold all lines in
 * order. They end where a chapter does, or else at the longest pause near the end, and none is much smaller than the others.
 */
export function splitLines(lines: PromptLine[], maxTokens: number): TranscriptPart[] {
  const sized = lines.map((line) => ({ line, size: estimateLineTokens(line) }))
  const total = sized.reduce((sum, { size }) => sum + size, 0)
  const evenTokens = Math.min(maxTokens, (total / Math.ceil(total / maxTokens)) * 1.1)
  const overlap = Math.max(1, Math.floor(Math.min(OVERLAP_CHARS, maxTokens * OVERLAP_PER_TOKEN)))
  const parts: TranscriptPart[] = []
  for (let from = 0; from < lines.length; ) {
    let end = from
    for (let size = 0; end < lines.length; end++) {
      size += at(sized, end).size
      if (size > evenTokens && end > from) break
    }
    const to = end < lines.length ? chooseEnd(sized, from, end, evenTokens) : end
    parts.push({ lines: lines.slice(from, to), before: selectBefore(lines, from, overlap) })
    from = to
  }
  return parts
}
