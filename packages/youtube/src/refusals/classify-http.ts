import { parseRetryAfter } from '@subtext/runtime'
import type { Refusal } from './refusal.ts'

const MAX_RETRY_AFTER_SECONDS = 3600
const HTML = /^\s*<(?:!doctype\s+html|html)\b/i

const blocked: Omit<Refusal, 'cause'> = { code: 'UPSTREAM_BLOCKED', next: 'confirm-block' }

const readRetryAfter = (headers: ReadonlyMap<string, string>): number | undefined => {
  const seconds = parseRetryAfter(headers.get('retry-after') ?? null, Date.now())
  return seconds === null ? undefined : Math.min(Math.ceil(seconds), MAX_RETRY_AFTER_SECONDS)
}

/** Classifies a response by its status, headers and kind of body. Returns `null` if the body should be read. */
export const classifyHttp = (status: number, headers: ReadonlyMap<string, string>, text: string): Refusal | null => {
  const cause = `http_${status}`
  if (status === 429 || status === 403) {
    return { ...blocked, cause, retryAfterSeconds: readRetryAfter(headers) }
  }
  // The platform redirects its API only to consent and CAPTCHA pages.
  if (status >= 300 && status < 400) return { ...blocked, cause }
  if (status === 407) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-egress', cause }
  if (status !== 200) return { code: 'UPSTREAM_UNAVAILABLE', next: 'next-client', cause }
  return HTML.test(text) ? { ...blocked, cause: 'html_page' } : null
}
