import { type Cue, ServiceError } from '@subtext/contracts'
import type { ImportCaller } from '@subtext/core/imports'
import { createAccountQueue, QueueFullError } from '@subtext/runtime'
import { createThreadPool, type PoolOptions, type ThreadWork } from '@subtext/runtime/threads'
import {
  type CaptionsReading,
  type CaptionsRefusal,
  type ReadingOptions,
  type ReadingTasks,
  splitText,
} from './tasks.ts'

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
const PART_BYTES = 1_000_000

/** Yields copies of the parts of a file: a view would be sent with all that is behind it. */
function* splitBytes(file: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < file.length; at += PART_BYTES) yield Uint8Array.from(file.subarray(at, at + PART_BYTES))
}

const TOO_LARGE: CaptionsRefusal = {
  reason: 'too_long',
  message: 'The captions need more memory than captions may use. Split them into several files.',
  line: undefined,
}

export interface OpenImportThreads {
  /** Reads captions in a thread, which ends when the caller disconnects. Rejects with `SERVICE_UNAVAILABLE` if too many wait. */
  read(captions: string, options: ReadingOptions, caller: ImportCaller): Promise<CaptionsReading & { cues: Cue[] }>
  /** Decodes a file in a thread, in the same way. */
  decode(file: Uint8Array, caller: ImportCaller): Promise<{ text: string; refusal?: CaptionsRefusal }>
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

  /** Runs a task once the account may have a thread, and returns its output and its result. */
  async function run<N extends keyof ReadingTasks>(
    task: N,
    work: Pick<ThreadWork<ReadingTasks[N]>, 'options' | 'input'>,
    { account, signal }: ImportCaller,
  ) {
    const output: ReadingTasks[N]['output'][] = []
    const runNow = async () => {
      const onOutput = (chunk: ReadingTasks[N]['output']) => void output.push(chunk)
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const result = await threads.run(task, { ...work, onOutput, signal: limit }).catch((error: unknown) => {
        if (!(error instanceof RangeError)) throw error
        return { refusal: TOO_LARGE }
      })
      return { output, result }
    }
    try {
      const leave = await queue.enter(account, signal)
      return await runNow().finally(leave)
    } catch (error) {
      if (signal.aborted && !(signal.reason instanceof ServiceError)) {
        // Nobody reads this response.
        throw new ServiceError('SERVICE_UNAVAILABLE', { message: 'The caller has disconnected.' })
      }
      if (!isBusy(error)) throw error
      const message = 'Too many captions are being read. Retry after `Retry-After` seconds.'
      throw new ServiceError('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error })
    }
  }
  return {
    async read(captions, options, caller) {
      const { output, result } = await run('read', { options, input: splitText(captions) }, caller)
      return { ...result, cues: output.flat() }
    },
    async decode(file, caller) {
      const { output, result } = await run('decode', { options: undefined, input: splitBytes(file) }, caller)
      return { ...result, text: output.join('') }
    },
    close: () => threads.close(),
  }
}
