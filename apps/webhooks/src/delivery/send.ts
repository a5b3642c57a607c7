import { createNameResolver, findWebhookUrlProblem, guardedLookup, type ResolveName } from '@subtext/core/webhooks'
import { Agent, type Dispatcher } from 'undici'
import { classifyFailure, type SendFailure } from './classify-failure.ts'

/** The outcome of an attempt: a response with the beginning of its body, or the reason why there was none. */
export type SendOutcome =
  | { statusCode: number; retryAfter: string | null; responseBody: string; error: null }
  | { statusCode: null; retryAfter: null; responseBody: null; error: SendFailure }

export interface Sender {
  send(url: string, headers: Record<string, string>, body: Buffer): Promise<SendOutcome>
  close(): Promise<void>
}

const MAX_RESPONSE_BYTES = 64 * 1024
/** The part of a response that its owner sees in the log. */
const MAX_KEPT_BYTES = 2_000
/** How long the rest of a response may take. If it arrives in time, its connection can be reused. */
const REST_TIMEOUT_MS = 100

interface SenderOptions {
  allowPrivate: boolean
  httpsOnly: boolean
  attemptTimeoutMs: number
  /** Resolves a name to its addresses. Defaults to DNS. */
  resolve?: ResolveName
}

/** Sends attempts. Does not follow redirects. Only the status matters; the beginning of the response is kept for the log. */
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
  let response: Extract<SendOutcome, { error: null }> | undefined
  const body = createExcerpt()
  let request: Dispatcher.DispatchController | undefined
  let isOver = false
  const end = (outcome: SendOutcome): void => {
    clearTimeout(timer)
    isOver = true
    settle(response ? { ...response, responseBody: body.read() } : outcome)
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
      const outcome = {
        statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        responseBody: '',
        error: null,
      }
      response = outcome
      clearTimeout(timer)
      timer = setTimeout(() => cutOff(outcome), REST_TIMEOUT_MS)
    },
    onResponseData: (_, chunk) => body.add(chunk),
    onResponseEnd: () => response && end(response),
    onResponseError: (_, error) => end(response ?? refused(classifyFailure(error))),
  }
}

const refused = (error: SendFailure): SendOutcome => ({ statusCode: null, retryAfter: null, responseBody: null, error })

/** Collects the beginning of a response. */
function createExcerpt() {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk: Buffer): void {
      if (bytes >= MAX_KEPT_BYTES) return
      // A copy, because the chunk is a view of a larger buffer.
      const kept = Buffer.from(chunk.subarray(0, MAX_KEPT_BYTES - bytes))
      chunks.push(kept)
      bytes += kept.length
    },
    /** Returns it as text, without a character that is cut at the end, and without NUL, which PostgreSQL does not store. */
    read: (): string =>
      new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\u0000', '\ufffd'),
  }
}
