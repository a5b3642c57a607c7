import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '../semaphore.ts'
import type { FromThread, ToThread } from './messages.ts'
import type { TaskMap, TaskTypes } from './tasks.ts'

export interface ThreadWork<T extends TaskTypes> {
  options: T['options']
  /** Read chunk by chunk, as the thread asks for them. */
  input: Iterable<T['input']>
  /** Called with each chunk of output; the thread waits until the call is done. */
  onOutput: (chunk: T['output']) => void | Promise<void>
  /** Terminates the thread when it aborts. */
  signal: AbortSignal
}

/** Threads for work that would block the event loop, and with it all other jobs, for too long. */
export interface ThreadPool<T extends TaskMap<T>> {
  /**
   * Runs a task in a thread. Rejects with what the task throws, with the signal's reason, with a `RangeError` when the task
   * needs more memory than a thread has, or with an `Error` when the thread crashes. Other work is unaffected.
   */
  run<N extends keyof T & string>(task: N, work: ThreadWork<T[N]>): Promise<T[N]['result']>
  close(): Promise<void>
}

export interface PoolOptions {
  /** The program of a thread, which calls `serveTasks`. */
  program: URL
  /** Maximum number of threads. They start when they are needed. */
  maxThreads?: number
  /** Milliseconds after which an idle thread ends. */
  idleMs?: number
  /** Heap limit of a thread in megabytes; a thread that needs more is terminated. */
  memoryMb?: number
}

interface Thread {
  worker: Worker
  /** Aborts when the thread exits, for any reason. */
  exited: AbortSignal
  idleTimer?: NodeJS.Timeout
}

function startThread(program: URL, memoryMb: number): Thread {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 6 },
  })
  const exiting = new AbortController()
  const onExit = (error?: unknown): void => exiting.abort(error ?? new Error('The thread exited.'))
  worker.on('error', onExit)
  worker.on('messageerror', onExit)
  worker.on('exit', () => onExit())
  // The thread must not keep the process alive: the job that waits for it does that.
  worker.unref()
  return { worker, exited: exiting.signal }
}

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code

/** Sends a message to the thread and waits for the answer. */
async function exchange(thread: Thread, message: ToThread, signal: AbortSignal): Promise<FromThread> {
  const abortedOrExited = AbortSignal.any([signal, thread.exited])
  const answered = once(thread.worker, 'message', { signal: abortedOrExited })
  thread.worker.postMessage(message)
  try {
    const messages = await answered
    return messages[0]
  } catch {
    signal.throwIfAborted()
    const cause: unknown = thread.exited.reason
    throw hasCode(cause, 'ERR_WORKER_OUT_OF_MEMORY')
      ? new RangeError('The work needs more memory than a thread has.', { cause })
      : new Error('The thread crashed.', { cause })
  }
}

/** Passes the work to a thread and answers its messages until the work is done. */
async function serve<T extends TaskTypes>(
  thread: Thread,
  task: string,
  { options, input, onOutput, signal }: ThreadWork<T>,
): Promise<Extract<FromThread, { kind: 'done' | 'failed' }>> {
  const chunks = input[Symbol.iterator]()
  let message: ToThread = { kind: 'start', task, options }
  for (;;) {
    const answer = await exchange(thread, message, signal)
    switch (answer.kind) {
      case 'needs-input': {
        const next = chunks.next()
        message = next.done ? { kind: 'end-of-input' } : { kind: 'input', chunk: next.value }
        break
      }
      case 'output':
        await onOutput(answer.chunk as T['output'])
        message = { kind: 'output-taken' }
        break
      default:
        return answer
    }
  }
}

const MAX_THREADS = 1
const IDLE_MS = 1_000
const MEMORY_MB = 128

/**
 * Creates a pool without threads; they start when work arrives and end when they are idle.
 *
 * Piscina 5.3.2 was tried and does not fit. With `minThreads: 0`, which lets the last idle thread and its memory go, a
 * task queued behind one that is aborted or runs out of memory never starts, and a task whose thread fails to start never
 * settles; `minThreads: 1` avoids both, but keeps a thread for good. It takes one message and returns one, so `serve`,
 * the threads' own loop and the messages between them would remain. And it looks for its `worker.js` below `__dirname`,
 * which an app bundled as an ES module does not have.
 */
export function createThreadPool<T extends TaskMap<T>>({
  program,
  maxThreads = MAX_THREADS,
  idleMs = IDLE_MS,
  memoryMb = MEMORY_MB,
}: PoolOptions): ThreadPool<T> {
  const permits = createSemaphore(maxThreads)
  const threads = new Set<Thread>()
  const idle: Thread[] = []

  const end = async (thread: Thread): Promise<void> => {
    clearTimeout(thread.idleTimer)
    threads.delete(thread)
    await thread.worker.terminate()
  }
  const take = (): Thread => {
    for (let thread = idle.pop(); thread; thread = idle.pop()) {
      clearTimeout(thread.idleTimer)
      if (!thread.exited.aborted) return thread
      threads.delete(thread)
    }
    const thread = startThread(program, memoryMb)
    threads.add(thread)
    return thread
  }
  const putBack = (thread: Thread): void => {
    idle.push(thread)
    thread.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(thread), 1)
      void end(thread)
    }, idleMs).unref()
  }
  return {
    run: <N extends keyof T & string>(task: N, work: ThreadWork<T[N]>) =>
      permits.run(async () => {
        const thread = take()
        const answer = await serve(thread, task, work).catch(async (error: unknown) => {
          await end(thread)
          throw error
        })
        putBack(thread)
        if (answer.kind === 'failed') throw answer.error
        return answer.result as T[N]['result']
      }, work.signal),
    async close() {
      await Promise.all([...threads].map(end))
    },
  }
}
