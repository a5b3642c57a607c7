import { parseRetryAfter } from '@subtext/runtime'
import type { Refusal } from './refusal.ts'

const LONGEST_WAIT_SECONDS = 3600
const HTML = /^\s*<(?:!doctype\s+html|html)\b/i

const readRetryAfter = (headers: Headers): number | undefined => {
  const seconds = parseRetryAfter(headers.get('retry-after'), Date.now())
  return seconds === null ? undefined : Math.min(Math.ceil(seconds), LONGEST_WAIT_SECONDS)
}

/** What the status line and the kind of body of an answer mean; `null` when the body is worth reading. */
export const classifyHttp = (status: number, headers: Headers, text: string): Refusal | null => {
  const why = `http_${status}`
  if (status === 429 || status === 403) {
    return { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why, retryAfterSeconds: readRetryAfter(headers) }
  }
  // The platform redirects its API only to consent and CAPTCHA pages.
  if (status >= 300 && status < 400) return { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why }
  if (status === 407) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-egress', why }
  if (status >= 500) return { code: 'UPSTREAM_UNAVAILABLE', next: 'retry', why }
  if (status !== 200) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', why }
  return HTML.test(text) ? { code: 'UPSTREAM_BLOCKED', next: 'next-egress', why: 'html_page' } : null
}
