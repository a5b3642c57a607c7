import { foldText } from './fold-text.ts'

const WORD = '[\\p{L}\\p{N}\\p{M}]'

/**
 * Runs of `*`, `_` and `~` that have no meaning in their position, by the flanking rules of CommonMark 0.31, section 6.2:
 * between spaces; `_` within a word; `~` before a word, where strikethrough could start but never end, because everything
 * that could close it is escaped.
 */
const HARMLESS_RUN = [
  '[*_~](?<=(?:^| )[*_~])(?:(?<=\\*)\\**|(?<=_)_*|(?<=~)~*)(?= |$)',
  `_(?<=${WORD}_)_*(?=${WORD})`,
  '~(?<=(?:^| )~)~?(?=[^~])',
].join('|')

const MEANINGFUL = [
  '[\\\\`\\[\\]*_~]',
  // Tags, comments, declarations, processing instructions and addresses in angle brackets.
  '<(?=[a-z/!?]|[^\\s<>@]*@)',
  '&(?=[a-z][a-z0-9]{0,31};|#[0-9]{1,7};|#x[0-9a-f]{1,6};)',
  // What GitHub's dialect turns into links without brackets: scheme://, www. and email addresses.
  '\\/(?=\\/[^ /])',
  '\\.(?<=(?:^|[\\s*_~(])w{3}\\.)',
  ':(?<=(?:mailto|xmpp):)(?=[^ ])',
  '@(?<=[^ ]@)(?=[^ @]*\\.[^ ])',
].join('|')

/**
 * What else has a meaning in Obsidian: tags, highlights, comments, formulas, IDs of blocks, and commands of its template plugin.
 * Links, embedded notes and footnotes begin with brackets.
 */
const MEANINGFUL_IN_OBSIDIAN = ['#(?=[^ #])', '==+', '%%+', '[$^]', '<(?=%)'].join('|')

/** Ways to escape text from outside, by where it is put. */
export interface MarkdownEscapes {
  inline(text: string): string
  block(text: string): string
  heading(text: string): string
}

/** Marks that have a meaning only at the start of a line. The backslash goes before the mark; for `1.`, before the period. */
const LINE_START = /^(?:#{1,6}(?= |$)|>|[-+*](?= |$)|~~~|\||(?:=+|-+)$|([-_*])(?: ?\1){2,}$)/u
const ORDERED_START = /^(\d{1,9})(?=[.)](?: |$))/u
/** CommonMark reads hashes at the end of a heading as its closing sequence. */
const HEADING_END = /(?<=^| )#+$/u

function createEscapes(meaningful: string): MarkdownEscapes {
  // Every alternative starts with its mark and looks back only afterwards, which makes the search through prose several times faster.
  const pattern = new RegExp(`(${HARMLESS_RUN})|${meaningful}`, 'giu')
  const inline = (text: string): string =>
    foldText(text).replace(pattern, (match, harmless?: string) =>
      harmless === undefined ? match.replace(/./gsu, '\\$&') : match,
    )
  return {
    inline,
    block: (text) =>
      inline(text)
        .replace(LINE_START, (mark) => `\\${mark}`)
        .replace(ORDERED_START, '$1\\'),
    heading: (text) => inline(text).replace(HEADING_END, (hashes) => `\\${hashes}`),
  }
}

/** Escapes for notes of Obsidian, where more characters have a meaning. */
export const OBSIDIAN_ESCAPES = createEscapes(`${MEANINGFUL}|${MEANINGFUL_IN_OBSIDIAN}`)

export const MARKDOWN_ESCAPES = createEscapes(MEANINGFUL)

/**
 * Escapes text from outside as one line for use within a Markdown block, but not at its start. It is shown as it was and
 * creates no emphasis, code, link, image, HTML or automatic link in CommonMark and GitHub's dialect; ordinary prose is
 * unchanged. Runs at either end are treated as if next to a space, so surround the result with spaces or line ends only.
 */
export const escapeInline = MARKDOWN_ESCAPES.inline

/** Like `escapeInline`, for text at the start of a paragraph or list item: it starts no other block either. */
export const escapeBlock = MARKDOWN_ESCAPES.block

/** Like `escapeInline`, for the text of a heading. */
export const escapeHeading = MARKDOWN_ESCAPES.heading

/** Like `escapeInline`, for a cell of a table. */
export const escapeCell = (text: string): string => escapeInline(text).replaceAll('|', '\\|')
