import type { SampleRequest } from './sample-request.ts'

/** Quotes a word for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Returns a command that sends a request. `$KEY` stands for the API key. */
export function writeCurl({ method, url, needsKey, payload }: SampleRequest): string {
  const parts = [
    `curl -s${method === 'GET' || payload ? '' : ` -X ${method}`} ${/[?&']/.test(url) ? quote(url) : url}`,
    ...(needsKey ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(payload ? ["-H 'Content-Type: application/json'", `-d ${quote(payload)}`] : []),
  ]
  return parts.join(' \\\n  ')
}
