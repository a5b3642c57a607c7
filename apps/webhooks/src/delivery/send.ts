import { isIPv6, type LookupFunction } from 'node:net'
import { areAllPublic, createNameResolver, findWebhookUrlProblem, type ResolveName } from '@subtext/core/webhooks'
import { Agent, type Dispatcher, errors } from 'undici'

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
      const { origin, pathname, search } = new URL(url)
      const request: Dispatcher.DispatchOptions = { method: 'POST', origin, path: pathname + search, headers, body }
      return new Promise((settle) => agent.dispatch(request, createHandler(attemptTimeoutMs, settle)))
    },
    close: () => agent.destroy(),
  }
}

/**
 * Creates the handler of one attempt. Calls `settle` with the status when the response has ended, or with the reason why there
 * was none; what follows has no effect.
 */
function createHandler(timeoutMs: number, settle: (outcome: SendOutcome) => void): Dispatcher.DispatchHandler {
  let response: SendOutcome | undefined
  let request: Dispatcher.DispatchController | undefined
  let isOver = false
  const end = (outcome: SendOutcome): void => {
    clearTimeout(timer)
    isOver = true
    settle(outcome)
  }
  const cutOff = (outcome: SendOutcome): void => {
    end(outcome)
    request?.abort(new Error('The attempt is over.'))
  }
  let timer = setTimeout(() => cutOff(refused('timeout')), timeoutMs)
  return {
    onRequestStart(controller) {
      request = controller
      // The attempt timed out while it was connecting.
      if (isOver) controller.abort(new Error('The attempt is over.'))
    },
    onResponseStart(_, statusCode, headers) {
      const isInformational = statusCode < 200
      if (isInformational) return
      const retryAfter = headers['retry-after']
      const outcome = { statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, error: null }
      response = outcome
      clearTimeout(timer)
      timer = setTimeout(() => cutOff(outcome), REST_TIMEOUT_MS)
    },
    onResponseEnd: () => response && end(response),
    onResponseError: (_, error) => end(response ?? refused(classifyFailure(error))),
  }
}

type Failure = Extract<SendOutcome, { statusCode: null }>['error']

const refused = (error: Failure): SendOutcome => ({ statusCode: null, retryAfter: null, error })

function classifyFailure(error: unknown): Failure {
  if (error instanceof AddressRefusedError) return 'address_refused'
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError) return 'timeout'
  return 'connection'
}
