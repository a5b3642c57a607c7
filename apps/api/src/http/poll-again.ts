/** Tells clients in how many seconds to ask again for something that is still in progress. */
export const POLL_AGAIN: Record<string, string> = { 'Retry-After': '2' }
