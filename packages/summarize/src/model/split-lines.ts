import type { PromptLine } from '../prompts/transcript-document.ts'
import { estimateLineTokens } from './estimate-tokens.ts'

/** A stretch of lines that is read in one call. */
export interface Part {
  lines: PromptLine[]
  /** The last words before it. */
  before: string
}

/** From here on a part may end, as shares of its greatest size: at a chapter, or at a long pause. */
const CHAPTER_FROM = 0.5
const PAUSE_FROM = 0.85
const OVERLAP_CHARS = 600

/** Index of the line a new part begins with; the lines `[from, end)` are all that fit. */
function chooseEnd(lines: PromptLine[], sizes: number[], from: number, end: number, most: number): number {
  let size = 0
  let chapter = 0
  let pause = 0
  let longest = -1
  for (let at = from; at < end; at++) {
    const line = lines[at] as PromptLine
    if (at > from && line.chapters.length > 0 && size >= most * CHAPTER_FROM) chapter = at
    const silence = line.startMs - (lines[at - 1]?.startMs ?? line.startMs)
    if (at > from && size >= most * PAUSE_FROM && silence > longest) {
      longest = silence
      pause = at
    }
    size += sizes[at] as number
  }
  return chapter || pause || end
}

function selectBefore(lines: PromptLine[], from: number): string {
  let before = ''
  for (let at = from - 1; at >= 0 && before.length < OVERLAP_CHARS; at--) before = `${lines[at]?.text} ${before}`
  return before.slice(-OVERLAP_CHARS).toWellFormed().trim()
}

/**
 * Parts of at most `maxTokens` each (a line that is longer stands alone), together all lines, in their order. They end
 * where a chapter does, else at the longest pause near the end. None is much smaller than the others.
 */
export function splitLines(lines: PromptLine[], maxTokens: number): Part[] {
  const sizes = lines.map(estimateLineTokens)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const most = Math.min(maxTokens, (total / Math.ceil(total / maxTokens)) * 1.1)
  const parts: Part[] = []
  for (let from = 0; from < lines.length; ) {
    let end = from
    for (let size = 0; end < lines.length; end++) {
      size += sizes[end] as number
      if (size > most && end > from) break
    }
    const to = end < lines.length ? chooseEnd(lines, sizes, from, end, most) : end
    parts.push({ lines: lines.slice(from, to), before: selectBefore(lines, from) })
    from = to
  }
  return parts
}
