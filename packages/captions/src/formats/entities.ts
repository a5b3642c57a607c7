const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
const ENTITY = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#[xX]([\da-fA-F]{1,6}));/g

const codePointText = (codePoint: number): string => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '')

/** Decodes one level of escaping: the entities of XML, `&nbsp;` and numeric references. Other entities are kept as they are. */
export const decodeEntities = (text: string): string =>
  text.includes('&')
    ? text.replace(ENTITY, (_, name?: string, decimal?: string, hex?: string) =>
        name ? (NAMED_ENTITIES[name] ?? '') : codePointText(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)),
      )
    : text
