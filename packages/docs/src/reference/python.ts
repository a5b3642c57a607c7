import type { SampleRequest } from './sample-request.ts'
import { type LiteralStyle, writeLiteral } from './write-literal.ts'

const CONSTANTS = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

const STYLE: LiteralStyle = {
  indent: '    ',
  padding: '',
  writeText: (text) => JSON.stringify(text),
  writeKey: (key) => JSON.stringify(key),
  writeConstant: (value) => CONSTANTS.get(value) ?? String(value),
}

/** Returns Python that sends a request with httpx. `KEY` stands for the API key. */
export function writePython({ method, url, needsKey, payload }: SampleRequest): string {
  const lines = [
    `    ${JSON.stringify(method)},`,
    `    ${JSON.stringify(url)},`,
    ...(needsKey ? ['    headers={"Authorization": f"Bearer {KEY}"},'] : []),
    ...(payload ? [`    json=${writeLiteral(JSON.parse(payload), STYLE, '    ')},`] : []),
  ]
  return `response = httpx.request(\n${lines.join('\n')}\n)\nresponse.raise_for_status()`
}
