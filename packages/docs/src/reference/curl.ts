import type { ReferenceOperation } from './operations.ts'

/** Quotes a word for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const isSent = ({ required, in: place }: ReferenceOperation['parameters'][number]): boolean =>
  required || place === 'path'

/** Returns a command that sends a typical request. `$KEY` stands for the API key. */
export function writeCurl(operation: ReferenceOperation, server: string): string {
  const { method, path, parameters, body, needsKey } = operation
  const example = (name: string): string => parameters.find((parameter) => parameter.name === name)?.example ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example(name)))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && isSent(parameter))
    .map(({ name, example }) => `${name}=${encodeURIComponent(example)}`)
    .join('&')
  const url = `${server}${filled}${query === '' ? '' : `?${query}`}`
  const payload = body?.examples[0]?.text
  const parts = [
    `curl -s${method === 'GET' || payload ? '' : ` -X ${method}`} ${/[?&']/.test(url) ? quote(url) : url}`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(payload ? ["-H 'Content-Type: application/json'", `-d ${quote(payload)}`] : []),
  ]
  return parts.join(' \\\n  ')
}
