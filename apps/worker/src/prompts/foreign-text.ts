/**
 * Control, bidirectional and zero-width characters, tag characters and the supplementary variation
 * selectors: a person does not see them, a model reads them. The joiners U+200C and U+200D stay, since Persian,
 * Indic scripts and emoji are spelled with them.
 */
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF]|[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]/gu
const SPACE = /[\t\n\v\f\r\u0085\p{Z}]+/gu

/** One line of well-formed text in which everything that is there can be seen. */
export const cleanLine = (text: string): string =>
  text.toWellFormed().replace(SPACE, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim()

const OWN_TAG = /<(?=\s*\/?\s*(?:video|title|channel|description|language|transcript|chapter|focus)\b)/giu
const OWN_SEGMENT_MARK = /\[(\d+)\]/g

/** A line that cannot be taken for a tag or a segment number of the prompt. */
export const escapeLine = (text: string): string =>
  cleanLine(text).replace(OWN_TAG, '‹').replace(OWN_SEGMENT_MARK, '($1)')
