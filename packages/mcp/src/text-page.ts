/** Maximum length of the text in one result. Clients cut or refuse longer ones. */
export const MAX_TEXT_CHARS = 40_000

export interface TextPage {
  text: string
  /** Continues the text; absent on the last page. */
  next_cursor?: string
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
 * Returns a part of a long text: up to `maxChars` UTF-16 code units from `cursor` on, cut after a line if one ends in the last
 * quarter, and never inside a character.
 */
export function pageOf(text: string, cursor: string | undefined, maxChars: number): TextPage {
  const start = cursor === undefined ? 0 : readCursor(cursor)
  if (start > text.length) throw new InvalidCursorError()
  if (text.length - start <= maxChars) return { text: text.slice(start) }
  const lineEnd = text.lastIndexOf('\n', start + maxChars - 1) + 1
  let end = lineEnd > start + maxChars * 0.75 ? lineEnd : start + maxChars
  if (isLowSurrogate(text.charCodeAt(end))) end--
  return { text: text.slice(start, end), next_cursor: cursorAt(end) }
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function readCursor(cursor: string): number {
  const [, position] = /^c(\d{1,9})$/.exec(cursor) ?? []
  if (position === undefined) throw new InvalidCursorError()
  return Number(position)
}
