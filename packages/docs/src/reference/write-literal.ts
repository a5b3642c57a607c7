/** How a programming language writes the values of JSON. */
export interface LiteralStyle {
  indent: string
  /** Between the braces of an object and its fields. */
  padding: string
  writeText(text: string): string
  writeKey(key: string): string
  writeConstant(value: number | boolean | null): string
}

const MAX_LINE = 72

/** Returns a value of JSON in the style of a language: on one line where it fits, after what is indented by `indent`. */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = ''): string {
  if (typeof value === 'string') return style.writeText(value)
  if (typeof value !== 'object' || value === null) return style.writeConstant(value as number | boolean | null)
  const inner = indent + style.indent
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => writeLiteral(item, style, inner))
    : Object.entries(value).map(([key, item]) => `${style.writeKey(key)}: ${writeLiteral(item, style, inner)}`)
  const [open, close, padding] = isList ? ['[', ']', ''] : ['{', '}', style.padding]
  if (items.length === 0) return `${open}${close}`
  const line = `${open}${padding}${items.join(', ')}${padding}${close}`
  if (indent.length + line.length < MAX_LINE && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`
}
