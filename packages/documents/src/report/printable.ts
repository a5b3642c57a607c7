import { foldText } from '@subtext/render'

// Marks that turn or reorder text without being seen, and characters that stand for nothing that can be shown.
const UNSEEN = /[\p{Bidi_Control}\p{Noncharacter_Code_Point}\ufeff\u{e0000}-\u{e007f}]/gu
const UNKNOWN = /[\p{Co}\p{Cn}]/gu
const REPLACEMENT = '\ufffd'
/** Longer words get places where a line may break. */
const LONG_WORD = /[!-~]{48}(?=[!-~])/g
const ZERO_WIDTH_SPACE = '\u200b'

/** Returns folded text from outside without characters that cannot be printed. */
export const printableLine = (line: string): string =>
  line
    .replace(UNSEEN, '')
    .replace(UNKNOWN, REPLACEMENT)
    .replace(LONG_WORD, (part) => part + ZERO_WIDTH_SPACE)

/** Returns text from outside as one line of characters that can be printed. */
export const printable = (text: string): string => printableLine(foldText(text)).trim()
