import { type Cue, ServiceError } from '@subtext/contracts'
import type { ImportCaller } from '@subtext/core/imports'
import { createAccountQueue, QueueFullError } from '@subtext/runtime'
import { createThreadPool, type PoolOptions } from '@subtext/runtime/threads'
import type { CaptionsReading, ReadingOptions, ReadingTasks } from './tasks.ts'

/** From the sources, the program takes a second of CPU to start; from the build, a tenth. */
const PROGRAM = new URL('./thread.mjs', import.meta.url)

/** An account has one thread at most, so that another one never waits for all of its captions. */
const MAX_THREADS = 2
const MAX_WAITING = 20
const MAX_WAIT_MS = 30_000
/** The largest captions that are accepted take a few seconds, even on a slow machine. */
const TIMEOUT_MS = 60_000
/** Twice what captions of 10 MB need in the formats that take the most. */
const MEMORY_MB = 384
const RETRY_AFTER_SECONDS = 5
/** Copying a part from one thread to another takes a few milliseconds. */
const PART_CHARS = 500_000

function* splitText(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += PART_CHARS) yield text.slice(at, at + PART_CHARS)
}

export interface OpenImportThreads {
  /** Reads captions in a thread, which ends when the caller disconnects. Rejects with `SERVICE_UNAVAILABLE` if too many wait. */
  read(captions: string, options: ReadingOptions, caller: ImportCaller): Promise<CaptionsReading & { cues: Cue[] }>
  close(): Promise<void>
}

export interface ImportThreadOptions extends Partial<PoolOptions> {
  maxWaiting?: number
  timeoutMs?: number
}

const isBusy = (error: unknown): boolean =>
  error instanceof QueueFullError || (error instanceof DOMException && error.name === 'TimeoutError')

/** Opens the threads that read long captions. Accounts share them. */
export function openImportThreads({
  maxThreads = MAX_THREADS,
  maxWaiting = MAX_WAITING,
  timeoutMs = TIMEOUT_MS,
  ...options
}: ImportThreadOptions = {}): OpenImportThreads {
  const queue = createAccountQueue({ maxActive: maxThreads, maxWaiting, maxWaitMs: MAX_WAIT_MS })
  const threads = createThreadPool<ReadingTasks>({ program: PROGRAM, memoryMb: MEMORY_MB, maxThreads, ...options })

  async function readNow(captions: string, options: ReadingOptions, signal: AbortSignal) {
    const chunks: Cue[][] = []
    const reading = await threads
      .run('read', {
        options,
        input: splitText(captions),
        onOutput: (chunk) => void chunks.push(chunk),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      .catch((error: unknown): CaptionsReading => {
        if (!(error instanceof RangeError)) throw error
        const message = 'The captions need more memory than captions may use. Split them into several files.'
        return { refusal: { reason: 'too_long', message, line: undefined } }
      })
    return { ...reading, cues: chunks.flat() }
  }
  return {
    async read(captions, options, { account, signal }) {
      try {
        const leave = await queue.enter(account, signal)
        return await readNow(captions, options, signal).finally(leave)
      } catch (error) {
        if (signal.aborted && !(signal.reason instanceof ServiceError)) {
          // Nobody reads this response.
          throw new ServiceError('SERVICE_UNAVAILABLE', { message: 'The caller has disconnected.' })
        }
        if (!isBusy(error)) throw error
        const message = 'Too many captions are being read. Retry after `Retry-After` seconds.'
        throw new ServiceError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
      }
    },
    close: () => threads.close(),
  }
}
