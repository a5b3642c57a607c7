// Invisible characters let foreign text hide words from a reader or reverse their order: controls, soft hyphen,
// zero-width and bidirectional marks (Unicode Standard Annex 9), interlinear marks, noncharacters, tag characters
// and the supplementary variation selectors.
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF\u{E0000}-\u{E01EF}]|\u034F/gu

// Joiners belong to the spelling of Arabic and Indic scripts and to emoji; anywhere else they only hide text.
const STRAY_JOINER =
  /(?<!\uFE0F|[\p{scx=Arab}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200C\u200D]+/gu
const JOINER = /[\u200C\u200D]/
const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029]/g

const cut = (text: string, maxLength: number): string =>
  text.length <= maxLength
    ? text
    : text
        .slice(0, maxLength)
        .toWellFormed()
        .replace(/\uFFFD$/, '')

/** Returns well-formed text without invisible characters, its line breaks as `\n`, of at most `maxLength` UTF-16 units. */
export const cleanParagraphs = (text: string, maxLength = Number.POSITIVE_INFINITY): string => {
  const visible = text.toWellFormed().replace(LINE_BREAK, '\n').replace(INVISIBLE, '')
  const joined = JOINER.test(visible) ? visible.replace(STRAY_JOINER, '') : visible
  return cut(joined, maxLength).trim()
}

/** Works like `cleanParagraphs` and puts the text on one line with single spaces. */
export const cleanLine = (text: string, maxLength = Number.POSITIVE_INFINITY): string =>
  cut(cleanParagraphs(text).replace(/\s+/g, ' ').trim(), maxLength).trimEnd()
