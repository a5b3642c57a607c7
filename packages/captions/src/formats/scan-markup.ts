/** Receives the tags and the text of a document, in order. Entities are not decoded. */
export interface MarkupVisitor {
  /** `attributes` is the tag's text after its name. An empty tag such as `<br/>` is followed by a call of `close`. */
  open(name: string, attributes: string): void
  close(name: string): void
  text(raw: string): void
}

const TAG = /^(\/?)([A-Za-z][\w.:-]{0,63})/

const skipPast = (document: string, from: number, end: string): number => {
  const found = document.indexOf(end, from)
  return found < 0 ? document.length : found + end.length
}

/** Returns the end of the comment, instruction or declaration that begins at `start`, or -1 if there is none. */
const endOfIgnored = (document: string, start: number): number => {
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
 * Scans the platform's XML once, in time linear in its length whatever its content: entities are not expanded, nesting is
 * not tracked, and a truncated tag ends the document. Attributes are passed on unparsed, since parsing those of every word
 * would be most of the work of a general parser.
 */
export const scanMarkup = (document: string, visitor: MarkupVisitor): void => {
  let at = 0
  while (at < document.length) {
    const start = document.indexOf('<', at)
    if (start !== at) visitor.text(document.slice(at, start < 0 ? document.length : start))
    if (start < 0) return
    const ignoredEnd = endOfIgnored(document, start)
    if (ignoredEnd >= 0) {
      at = ignoredEnd
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

/** Returns a reader for the attribute `name`, which gives `null` when it is missing or not a decimal number. */
export const numberAttribute = (name: string): ((attributes: string) => number | null) => {
  const pattern = new RegExp(String.raw`\s${name}${NUMBER}`)
  return (attributes) => {
    const [, value] = pattern.exec(attributes) ?? []
    return value === undefined ? null : Number(value)
  }
}
