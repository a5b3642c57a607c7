/** Maximum length of the text in one result, in UTF-16 code units. Clients cut or refuse longer ones. */
export const MAX_TEXT_CHARS = 40_000
/** Its maximum weight in UTF-8: most scripts take more bytes for a character, and more tokens of a model. */
export const MAX_TEXT_BYTES = 60_000

export interface TextPage {
  text: string
  /** Continues the text; absent on the last page. */
  next_cursor?: string
}

export interface PageLimits {
  maxChars: number
  maxBytes: number
}

/** Returns the cursor of the page that begins at a position of a text. */
export const cursorAt = (position: number): string => `c${position}`

/** Thrown for what is not a cursor of the text. */
export class InvalidCursorError extends Error {
  constructor() {
    super('The cursor is not valid. Leave it out to start from the beginning.')
  }
}

/**
 * Returns a part of a long text from `cursor` on, as much as the limits allow: cut after a line if one ends in the last quarter,
 * else after a word, and never inside a character.
 */
export function pageOf(text: string, cursor: string | undefined, { maxChars, maxBytes }: PageLimits): TextPage {
  const start = cursor === undefined ? 0 : readCursor(cursor)
  if (start > text.length) throw new InvalidCursorError()
  const longest = text.slice(start, start + maxChars)
  const end = start + fitBytes(longest, maxBytes)
  if (end === text.length) return { text: text.slice(start) }
  const cut = findCut(text, start, end)
  return { text: text.slice(start, cut), next_cursor: cursorAt(cut) }
}

/** Returns how many code units of a text have at most so many bytes. */
function fitBytes(text: string, maxBytes: number): number {
  // No code unit takes more than three bytes.
  if (text.length * 3 <= maxBytes) return text.length
  return new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read
}

/** Code units before a cut in which the end of a word is looked for, in scripts that put no spaces between words. */
const WORD_WINDOW = 200
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Returns the position between `start` and `end` at which to cut a text. */
function findCut(text: string, start: number, end: number): number {
  const lastQuarter = start + (end - start) * 0.75
  const lineEnd = text.lastIndexOf('\n', end - 1) + 1
  if (lineEnd > lastQuarter) return lineEnd
  // A space right behind the page ends a word, too.
  for (let at = end; at > lastQuarter; at--) {
    if (/\s/.test(text.charAt(at))) return Math.min(end, at + 1)
  }
  const from = Math.max(start, end - WORD_WINDOW)
  let cut = end
  for (const { index } of words.segment(text.slice(from, end + WORD_WINDOW))) {
    if (from + index > end) break
    if (index > 0) cut = from + index
  }
  return isLowSurrogate(text.charCodeAt(cut)) ? cut - 1 : cut
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function readCursor(cursor: string): number {
  const [, position] = /^c(\d{1,9})$/.exec(cursor) ?? []
  if (position === undefined) throw new InvalidCursorError()
  return Number(position)
}
