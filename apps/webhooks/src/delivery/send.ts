import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { findWebhookUrlFault, isPublicAddress } from '@subtext/core'
import { Agent, type Dispatcher, errors, request } from 'undici'

/** What an attempt met: an answer, or why there was none. */
export type SendOutcome =
  | { statusCode: number; retryAfter: string | null; error: null }
  | { statusCode: null; retryAfter: null; error: 'timeout' | 'connection' | 'address_refused' | 'response_too_large' }

export interface Sender {
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendOutcome>
  close(): Promise<void>
}

/** For the whole attempt, whatever the peer does. */
const ATTEMPT_TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024

class AddressRefusedError extends Error {}

/**
 * The guard inside the connection: the very addresses that will be connected to are judged, so that a name which
 * answers otherwise the second time gains nothing.
 */
const guard =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
        return callback(new AddressRefusedError(`${hostname} is not public.`), [])
      }
      callback(null, addresses)
    })
  }

interface SenderOptions {
  allowPrivate: boolean
  attemptTimeoutMs?: number
  /** Finds the addresses of a name; the system's way unless given. */
  resolve?: typeof lookup
}

/** Sends attempts. Redirects are not followed, answers are read to a limit and forgotten. */
export function createSender({
  allowPrivate,
  attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
  resolve = lookup,
}: SenderOptions): Sender {
  const agent = new Agent({
    connect: allowPrivate ? {} : { lookup: guard(resolve) },
    maxResponseSize: MAX_RESPONSE_BYTES,
    keepAliveTimeout: 4_000,
  })
  return {
    async send(url, headers, body) {
      // A literal address is connected to without a lookup, so it is judged here.
      if (findWebhookUrlFault(url, allowPrivate) !== null) return refused('address_refused')
      try {
        const signal = AbortSignal.timeout(attemptTimeoutMs)
        const response = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
        return await readOutcome(response)
      } catch (error) {
        return refused(classifyFailure(error))
      }
    },
    close: () => agent.destroy(),
  }
}

async function readOutcome({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<SendOutcome> {
  const retryAfter = headers['retry-after']
  await body.dump({ limit: MAX_RESPONSE_BYTES }).catch(() => {}) // the status is the answer; the rest does not matter
  return { statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, error: null }
}

type Failure = Extract<SendOutcome, { statusCode: null }>['error']

const refused = (error: Failure): SendOutcome => ({ statusCode: null, retryAfter: null, error })

function classifyFailure(error: unknown): Failure {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'response_too_large'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) return 'timeout'
  return 'connection'
}
