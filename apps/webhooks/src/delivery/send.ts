import { isIPv6, type LookupFunction } from 'node:net'
import { areAllPublic, createNameResolver, findWebhookUrlProblem, type ResolveName } from '@subtext/core/webhooks'
import { Agent, type Dispatcher, errors, request } from 'undici'

/** The outcome of an attempt: a response, or the reason why there was none. */
export type SendOutcome =
  | { statusCode: number; retryAfter: string | null; error: null }
  | { statusCode: null; retryAfter: null; error: 'timeout' | 'connection' | 'address_refused' }

export interface Sender {
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendOutcome>
  close(): Promise<void>
}

const MAX_RESPONSE_BYTES = 64 * 1024
/** How long the rest of a response may take. If it arrives in time, its connection can be reused. */
const REST_TIMEOUT_MS = 100

class AddressRefusedError extends Error {}
class AttemptTimeoutError extends Error {}

/**
 * Returns a lookup that rejects private addresses. It checks the addresses that are actually connected to, so a name that
 * resolves differently the second time cannot bypass the check.
 */
const guardedLookup =
  (resolve: ResolveName): LookupFunction =>
  (hostname, _options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!areAllPublic(addresses))
          return callback(new AddressRefusedError(`${hostname} does not resolve to public addresses only.`), [])
        callback(
          null,
          addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
        )
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }

interface SenderOptions {
  allowPrivate: boolean
  httpsOnly: boolean
  attemptTimeoutMs: number
  /** Resolves a name to its addresses. Defaults to DNS. */
  resolve?: ResolveName
}

/** Sends attempts. Does not follow redirects. Only the status matters, so the response body is discarded. */
export function createSender({
  allowPrivate,
  httpsOnly,
  attemptTimeoutMs,
  resolve = createNameResolver(),
}: SenderOptions): Sender {
  const agent = new Agent({
    // Happy eyeballs tries all addresses that the lookup returns, so the lookup checks all of them.
    connect: {
      timeout: attemptTimeoutMs,
      ...(!allowPrivate && { lookup: guardedLookup(resolve), autoSelectFamily: true }),
    },
    maxResponseSize: MAX_RESPONSE_BYTES,
    keepAliveTimeout: 4_000,
  })
  return {
    async send(url, headers, body) {
      // A literal address is connected to without a lookup, so it is checked here.
      if (findWebhookUrlProblem(url, { allowPrivate, httpsOnly }) !== null) return refused('address_refused')
      const attempt = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new AttemptTimeoutError())
          attempt.abort()
        }, attemptTimeoutMs)
      })
      try {
        const { signal } = attempt
        const response = request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
        // While a request is connecting it does not react to the signal, hence the race.
        return await readOutcome(await Promise.race([response, timeout]))
      } catch (error) {
        return refused(classifyFailure(error))
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}

async function readOutcome({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<SendOutcome> {
  const retryAfter = headers['retry-after']
  const rest = new AbortController()
  const timer = setTimeout(() => rest.abort(), REST_TIMEOUT_MS)
  await body.dump({ limit: MAX_RESPONSE_BYTES, signal: rest.signal }).catch(() => {}) // The body was cut off, but the status is known already.
  clearTimeout(timer)
  return { statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, error: null }
}

type Failure = Extract<SendOutcome, { statusCode: null }>['error']

const refused = (error: Failure): SendOutcome => ({ statusCode: null, retryAfter: null, error })

function classifyFailure(error: unknown): Failure {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof AttemptTimeoutError) return 'timeout'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) return 'timeout'
  return 'connection'
}
