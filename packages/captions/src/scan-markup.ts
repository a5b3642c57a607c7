/** What is found in a document of tags and text, in order. Entities are left as they are. */
export interface MarkupVisitor {
  /** `attributes` is the tag's text after its name. An empty tag such as `<br/>` is closed at once. */
  open(name: string, attributes: string): void
  close(name: string): void
  text(raw: string): void
}

const TAG = /^(\/?)([A-Za-z][\w.-]{0,63})/

const skipPast = (document: string, from: number, end: string): number => {
  const found = document.indexOf(end, from)
  return found < 0 ? document.length : found + end.length
}

/** End of a comment, instruction or declaration that begins at `start`; -1 when it is none. */
const endOfAside = (document: string, start: number): number => {
  if (document.startsWith('<!--', start)) return skipPast(document, start + 4, '-->')
  if (document.startsWith('<?', start)) return skipPast(document, start + 2, '?>')
  if (document.startsWith('<![CDATA[', start)) return -1
  return document.startsWith('<!', start) ? skipPast(document, start + 2, '>') : -1
}

const visitTag = (tag: string, visitor: MarkupVisitor): void => {
  const [opening, slash, name = ''] = TAG.exec(tag) ?? []
  if (opening === undefined) visitor.text(`<${tag}>`)
  else if (slash) visitor.close(name)
  else {
    visitor.open(name, tag.slice(opening.length))
    if (tag.endsWith('/')) visitor.close(name)
  }
}

/**
 * Reads the platform's XML once from front to end, in time linear in its length whatever it holds: no entity is expanded,
 * no nesting is kept, and a tag that is cut off ends the document. The attributes of a word are never taken apart, which
 * is most of what a general parser would do here.
 */
export const scanMarkup = (document: string, visitor: MarkupVisitor): void => {
  let at = 0
  while (at < document.length) {
    const start = document.indexOf('<', at)
    if (start !== at) visitor.text(document.slice(at, start < 0 ? document.length : start))
    if (start < 0) return
    const aside = endOfAside(document, start)
    if (aside >= 0) {
      at = aside
    } else if (document.startsWith('<![CDATA[', start)) {
      at = skipPast(document, start, ']]>')
      visitor.text(document.slice(start + '<![CDATA['.length, at).replace(/\]\]>$/, ''))
    } else {
      const end = document.indexOf('>', start)
      if (end < 0) return
      visitTag(document.slice(start + 1, end), visitor)
      at = end + 1
    }
  }
}

const NUMBER = String.raw`\s{0,8}=\s{0,8}["']\s{0,8}(-?\d{1,15}(?:\.\d{1,15})?)`

/** Reads the attribute `name` where it is a decimal number; `null` where it is missing or something else. */
export const numberAttribute = (name: string): ((attributes: string) => number | null) => {
  const pattern = new RegExp(String.raw`\s${name}${NUMBER}`)
  return (attributes) => {
    const [, value] = pattern.exec(attributes) ?? []
    return value === undefined ? null : Number(value)
  }
}
