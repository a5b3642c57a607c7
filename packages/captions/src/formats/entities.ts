const NAMED_ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  // Marks of WebVTT for the direction of text.
  lrm: '\u200E',
  rlm: '\u200F',
  // Typography that editors escape.
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
}
const ENTITY = new RegExp(`&(?:(${Object.keys(NAMED_ENTITIES).join('|')})|#(\\d{1,7})|#[xX]([\\da-fA-F]{1,6}));`, 'g')

const codePointText = (codePoint: number): string => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '')

/** Decodes one level of escaping: the entities of XML and WebVTT, a few of HTML, and numeric references. Others are kept as they are. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (_, name?: string, decimal?: string, hex?: string) =>
        name ? (NAMED_ENTITIES[name] ?? '') : codePointText(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
      )
    : text
