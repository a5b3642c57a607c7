import type { SampleRequest } from './sample-request.ts'
import { type LiteralStyle, writeLiteral } from './write-literal.ts'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/
const quote = (text: string): string =>
  text.includes("'") ? JSON.stringify(text) : `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}'`

const STYLE: LiteralStyle = {
  indent: '  ',
  padding: ' ',
  writeText: quote,
  writeKey: (key) => (IDENTIFIER.test(key) ? key : quote(key)),
  writeConstant: String,
}

/** Returns TypeScript that sends a request. `KEY` stands for the API key. */
export function writeTypeScript({ method, url, needsKey, payload }: SampleRequest): string {
  const headers = [
    ...(needsKey ? ['Authorization: `Bearer $' + '{KEY}`'] : []),
    ...(payload ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(payload ? [`  body: JSON.stringify(${writeLiteral(JSON.parse(payload), STYLE, '  ')}),`] : []),
  ]
  const init = options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''
  return `const response = await fetch(${quote(url)}${init})\nif (!response.ok) throw new Error(await response.text())`
}
