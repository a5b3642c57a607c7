import Anthropic from '@anthropic-ai/sdk'
import { acceptUnstreamedAnswers } from './accept-unstreamed-answers.ts'
import { watchStreams } from './watch-streams.ts'

/** Three missed pings of the provider. */
const DEFAULT_IDLE_TIMEOUT_MS = 90_000

export interface ClientOptions {
  apiKey: string
  /** Defaults to the provider's own API. */
  baseUrl?: string
  fetch?: typeof fetch
  /** Longest time without data within an answer that has begun. Milliseconds. */
  idleTimeoutMs?: number
}

/** Creates a client that does not retry, and fails when a stream does. */
export function createClient(options: ClientOptions, timeoutMs: number): Anthropic {
  const { apiKey, baseUrl = null, fetch: send = fetch, idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS } = options
  return new Anthropic({
    apiKey,
    baseURL: baseUrl,
    fetch: acceptUnstreamedAnswers(watchStreams(send, idleTimeoutMs)),
    // A redirect would send the key and the transcript to another server.
    fetchOptions: { redirect: 'error' },
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
  })
}
