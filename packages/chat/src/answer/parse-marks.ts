import type { CitedSegment } from '@subtext/evidence'

/** Maximum length of the text in a pair of square brackets. */
const MAX_LENGTH = 800
const MAX_MARKS = 12
/** `12-14` means all lines from 12 to 14; a longer range means only its ends. */
const MAX_RANGE = 5
const ENTRY =
  /(?:^ ?| ?[,;] ?| )(\d{1,7})(?!\d)(?: ?[-–] ?(\d{1,7})(?!\d))?(?: ?:? ?["“”„«「『]([^"“”„«»「」『』]{1,300})["”“»」』])?/uy

/**
 * Reads the text between square brackets: `12`, `12, 15`, `12-14`, `12 "as it was said"`. Returns null for anything else,
 * such as `[sic]`.
 */
export function parseMarks(content: string): CitedSegment[] | null {
  if (content.length > MAX_LENGTH) return null
  const text = content.replace(/\s+/g, ' ')
  const marks: CitedSegment[] = []
  ENTRY.lastIndex = 0
  let end = 0
  for (let found = ENTRY.exec(text); found; found = ENTRY.exec(text)) {
    end = ENTRY.lastIndex
    const [, first, last, quote] = found
    for (const id of expand(Number(first), last === undefined ? null : Number(last)))
      marks.push({ id, quote: quote ?? null })
  }
  return marks.length > 0 && text.slice(end).trim() === '' ? marks.slice(0, MAX_MARKS) : null
}

function expand(first: number, last: number | null): number[] {
  if (last === null) return [first]
  if (last <= first || last - first >= MAX_RANGE) return [first, last]
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
