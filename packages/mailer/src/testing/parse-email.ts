export interface ParsedEmail {
  /** By name in lower case. */
  headers: Record<string, string>
  text: string
  html: string
  /** The first link in the plain text. Empty if there is none. */
  link: string
  raw: string
}

/** Parses an email of this service: a plain-text and an HTML part, neither nested. */
export function parseEmail(raw: string): ParsedEmail {
  const { headers, body } = splitPart(raw)
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? []
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitPart(part.replace(/^\r\n/, '')))
  const contentOf = (type: string): string => {
    const part = parts.find(({ headers: own }) => own['content-type']?.startsWith(type))
    return part ? decode(part.body, part.headers['content-transfer-encoding'] ?? '') : ''
  }
  const text = contentOf('text/plain')
  return { headers, text, html: contentOf('text/html'), link: /https?:\/\/\S+/.exec(text)?.[0] ?? '', raw }
}

function splitPart(part: string): { headers: Record<string, string>; body: string } {
  const end = part.indexOf('\r\n\r\n')
  const lines = part
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: part.slice(end + 4) }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
