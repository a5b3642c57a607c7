import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithin } from '../ends-within.ts'
import type { Logger } from '../logger.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { encodeSpans } from './encode-spans.ts'
import type { Attributes, EndedSpan, Recorder } from './tracing.ts'

export interface OtlpOptions {
  /** Where the collector accepts traces. */
  url: string
  headers: Record<string, string>
  /** What all spans of the process have in common. */
  resource: Attributes
  /** Share of the traces that begin in this process and are recorded. */
  ratio: number
  log: Pick<Logger, 'info' | 'warn'>
  /** Called with the number of spans. */
  count: (outcome: 'exported' | 'dropped', spans: number) => void
  /** Milliseconds. Changed in tests only. */
  intervalMs?: number
  backoffMs?: number
}

export interface OtlpExporter extends Recorder {
  /** Sends the remaining spans, for at most `timeoutMs`. */
  close(timeoutMs: number): Promise<void>
}

const MAX_QUEUE = 2_048
const MAX_BATCH = 512
const INTERVAL_MS = 5_000
const REQUEST_TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 3
const FIRST_BACKOFF_MS = 1_000
const MAX_WAIT_MS = 30_000
/** Statuses of temporary errors, according to the specification of OTLP/HTTP. */
const RETRYABLE = new Set([429, 502, 503, 504])

/**
 * Exports spans as OTLP/HTTP with JSON, in batches. A collector that does not respond costs nothing but spans: they are dropped
 * once the queue is full.
 */
export function createOtlpExporter(options: OtlpOptions): OtlpExporter {
  const { ratio, log, count, intervalMs = INTERVAL_MS } = options
  const queue: EndedSpan[] = []
  const closing = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let isFailing = false

  const report = (problem: string | null): void => {
    if (problem !== null && !isFailing) log.warn('traces not exported', { error: problem })
    if (problem === null && isFailing) log.info('traces exported again')
    isFailing = problem !== null
  }
  const sendQueue = async (): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH)
      const problem = await send(options, batch, closing.signal)
      report(problem)
      count(problem === null ? 'exported' : 'dropped', batch.length)
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    sending ??= sendQueue().finally(() => {
      sending = undefined
    })
    return sending
  }
  return {
    samples: (traceId) => Number.parseInt(traceId.slice(-13), 16) / 2 ** 52 < ratio,
    record(span) {
      if (queue.length >= MAX_QUEUE) return count('dropped', 1)
      queue.push(span)
      if (queue.length >= MAX_BATCH) void flush()
      else timer ??= setTimeout(() => void flush(), intervalMs).unref()
    },
    async close(timeoutMs) {
      closing.abort()
      await endsWithin(timeoutMs, flush())
      count('dropped', queue.length)
    },
  }
}

/** Sends a batch, again if that may help and `closing` has not aborted. Returns what is wrong, or null once it is accepted. */
async function send(
  { url, headers, resource, backoffMs = FIRST_BACKOFF_MS }: OtlpOptions,
  batch: EndedSpan[],
  closing: AbortSignal,
): Promise<string | null> {
  const body = JSON.stringify(encodeSpans(resource, batch))
  for (let attempt = 1; ; attempt++) {
    const { problem, retryable, waitMs } = await post(url, headers, body)
    if (problem === null || !retryable || attempt === MAX_ATTEMPTS || closing.aborted) return problem
    const pauseMs = Math.min(MAX_WAIT_MS, Math.max(waitMs, backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)))
    await sleep(pauseMs, undefined, { signal: closing, ref: false }).catch(() => {}) // The next attempt is the last one.
  }
}

interface Posted {
  /** Null if the batch was accepted. */
  problem: string | null
  retryable: boolean
  waitMs: number
}

async function post(url: string, headers: Record<string, string>, body: string): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    const waitMs = parseRetryAfter(response.headers.get('retry-after'), Date.now()) ?? 0
    const problem = response.ok ? null : `status ${response.status}`
    return { problem, retryable: RETRYABLE.has(response.status), waitMs: waitMs * 1_000 }
  } catch (error) {
    return { problem: (error as Error).message, retryable: true, waitMs: 0 }
  }
}
