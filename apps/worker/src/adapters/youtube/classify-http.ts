import type { Refusal } from './refusal.ts'

const LONGEST_WAIT_SECONDS = 3600
const HTML = /^\s*<(?:!doctype\s+html|html)\b/i

const retryAfter = (value: string | null): number | undefined =>
  value !== null && /^\d{1,6}$/.test(value) ? Math.min(Number(value), LONGEST_WAIT_SECONDS) : undefined

/** What the status line and the kind of body of an answer mean; `null` when the body is worth reading. */
export const classifyHttp = (status: number, headers: Headers, text: string): Refusal | null => {
  const why = `http_${status}`
  if (status === 429 || status === 403) {
    const retryAfterSeconds = retryAfter(headers.get('retry-after'))
    return { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why, retryAfterSeconds }
  }
  // The platform redirects its API only to consent and CAPTCHA pages.
  if (status >= 300 && status < 400) return { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why }
  if (status === 407) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-egress', why }
  if (status >= 500) return { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', why }
  if (status !== 200) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', why }
  return HTML.test(text) ? { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why: 'html_page' } : null
}
