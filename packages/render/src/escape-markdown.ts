import { foldText } from './fold-text.ts'

const WORD = '[\\p{L}\\p{N}\\p{M}]'

/**
 * Runs of `*`, `_` and `~` that mean nothing where they stand, by the flanking rules of CommonMark 0.31 section 6.2:
 * between spaces; `_` within a word; `~` before a word, where strikethrough could open but (all closers being escaped)
 * never ends.
 */
const HARMLESS_RUN = [
  '[*_~](?<=(?:^| )[*_~])(?:(?<=\\*)\\**|(?<=_)_*|(?<=~)~*)(?= |$)',
  `_(?<=${WORD}_)_*(?=${WORD})`,
  '~(?<=(?:^| )~)~?(?=[^~])',
].join('|')

const MEANINGFUL = [
  '[\\\\`\\[\\]*_~]',
  // A tag, comment, declaration, instruction or an address in angle brackets.
  '<(?=[a-z/!?]|[^\\s<>@]*@)',
  '&(?=[a-z][a-z0-9]{0,31};|#[0-9]{1,7};|#x[0-9a-f]{1,6};)',
  // What GitHub's dialect turns into links without any bracket: scheme://, www. and mail addresses.
  '\\/(?=\\/[^ /])',
  '\\.(?<=(?:^|[\\s*_~(])w{3}\\.)',
  ':(?<=(?:mailto|xmpp):)(?=[^ ])',
  '@(?<=[^ ]@)(?=[^ @]*\\.[^ ])',
].join('|')

// Every alternative begins with its mark and looks back only then: the search passes over prose several times faster.
const INLINE = new RegExp(`(${HARMLESS_RUN})|${MEANINGFUL}`, 'giu')

/** Marks that mean something only where a line begins; the backslash goes before the mark, for `1.` before the point. */
const LINE_START = /^(?:#{1,6}(?= |$)|>|[-+*](?= |$)|~~~|\||(?:=+|-+)$|([-_*])(?: ?\1){2,}$)/u
const ORDERED_START = /^(\d{1,9})(?=[.)](?: |$))/u
/** CommonMark takes hashes at the end of a heading for its closing sequence. */
const HEADING_END = /(?<=^| )#+$/u

/**
 * One line of foreign text for use within a Markdown block, not at its beginning. It shows as it was, and makes no
 * emphasis, code, link, image, HTML or automatic link in CommonMark and GitHub's dialect; ordinary prose is unchanged.
 * Runs at both ends are judged as beside a space: put nothing but spaces or line ends around it.
 */
export const escapeInline = (text: string): string =>
  foldText(text).replace(INLINE, (match, harmless?: string) => (harmless === undefined ? `\\${match}` : match))

/** As `escapeInline`, for text that begins a paragraph or list item: it starts no other block either. */
export const escapeBlock = (text: string): string =>
  escapeInline(text)
    .replace(LINE_START, (mark) => `\\${mark}`)
    .replace(ORDERED_START, '$1\\')

/** As `escapeInline`, for the text of a heading. */
export const escapeHeading = (text: string): string =>
  escapeInline(text).replace(HEADING_END, (hashes) => `\\${hashes}`)
