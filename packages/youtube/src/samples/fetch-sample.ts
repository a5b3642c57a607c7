import type { PlatformFetch } from '../session/dispatch-request.ts'

/** Answers requests for sample videos within this process. Loads them on first use, because most installations never need them. */
export const fetchSample: PlatformFetch = async (...request) =>
  (await import('@subtext/sample-platform')).fetchSample(...request)
