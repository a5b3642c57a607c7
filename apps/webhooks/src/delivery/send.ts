import { isIPv6, type LookupFunction } from 'node:net'
import { areAllPublic, createNameResolver, findWebhookUrlProblem, type ResolveName } from '@subtext/core/webhooks'
import { Agent, type Dispatcher, errors, request } from 'undici'

/** What an attempt met: an answer, or why there was none. */
export type SendOutcome =
  | { statusCode: number; retryAfter: string | null; error: null }
  | { statusCode: null; retryAfter: null; error: 'timeout' | 'connection' | 'address_refused' }

export interface Sender {
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendOutcome>
  close(): Promise<void>
}

const MAX_RESPONSE_BYTES = 64 * 1024
/** How long the rest of an answer may take, so that its connection can serve the next attempt. */
const REST_MS = 100

class AddressRefusedError extends Error {}
class OutOfTimeError extends Error {}

/**
 * The guard inside the connection: the very addresses that will be connected to are judged, so that a name which
 * answers otherwise the second time gains nothing.
 */
const guard =
  (resolve: ResolveName): LookupFunction =>
  (hostname, _options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!areAllPublic(addresses)) return callback(new AddressRefusedError(`${hostname} is not public.`), [])
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
  /** Finds the addresses of a name; asks the name servers unless given. */
  resolve?: ResolveName
}

/** Sends attempts. Redirects are not followed; the status is the answer, and no more of it is read than it takes. */
export function createSender({
  allowPrivate,
  httpsOnly,
  attemptTimeoutMs,
  resolve = createNameResolver(),
}: SenderOptions): Sender {
  const agent = new Agent({
    // Happy eyeballs give the lookup's addresses a try each, so it must be given them all.
    connect: { timeout: attemptTimeoutMs, ...(!allowPrivate && { lookup: guard(resolve), autoSelectFamily: true }) },
    maxResponseSize: MAX_RESPONSE_BYTES,
    keepAliveTimeout: 4_000,
  })
  return {
    async send(url, headers, body) {
      // A literal address is connected to without a lookup, so it is judged here.
      if (findWebhookUrlProblem(url, { allowPrivate, httpsOnly }) !== null) return refused('address_refused')
      const attempt = new AbortController()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          reject(new OutOfTimeError())
          attempt.abort()
        }, attemptTimeoutMs)
      })
      try {
        const { signal } = attempt
        const answer = request(url, { method: 'POST', headers, body, dispatcher: agent, signal })
        // While it connects a request does not hear the signal.
        return await readOutcome(await Promise.race([answer, late]))
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
  const timer = setTimeout(() => rest.abort(), REST_MS)
  await body.dump({ limit: MAX_RESPONSE_BYTES, signal: rest.signal }).catch(() => {}) // cut off: the status stands
  clearTimeout(timer)
  return { statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, error: null }
}

type Failure = Extract<SendOutcome, { statusCode: null }>['error']

const refused = (error: Failure): SendOutcome => ({ statusCode: null, retryAfter: null, error })

function classifyFailure(error: unknown): Failure {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof OutOfTimeError) return 'timeout'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) return 'timeout'
  return 'connection'
}
