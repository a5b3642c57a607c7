import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createDoor } from './door.ts'
import type { FromThread, ToThread } from './messages.ts'
import type { TaskName, Tasks } from './tasks.ts'

export interface ThreadWork<N extends TaskName> {
  order: Tasks[N]['order']
  /** Taken part by part, as the thread wants them. */
  input: Iterable<Tasks[N]['input']>
  /** The thread waits until the part is dealt with. */
  onOutput: (part: Tasks[N]['output']) => void | Promise<void>
  /** Ends the thread. */
  signal: AbortSignal
}

/** Threads for work that would keep the event loop from the other jobs for too long. */
export interface ThreadPool {
  /**
   * Rejects with what the task throws, with the signal's reason, or because the thread broke down: that ends only this. A
   * `RangeError`: it wanted more memory than a thread has.
   */
  run<N extends TaskName>(task: N, work: ThreadWork<N>): Promise<Tasks[N]['result']>
  close(): Promise<void>
}

interface PoolOptions {
  /** How many there are at most. They start when they are needed. */
  most?: number
  /** Milliseconds after which one without work ends. */
  idleMs?: number
  /** Megabytes that its objects may take; one that wants more is ended. */
  memoryMb?: number
}

interface Thread {
  worker: Worker
  /** Aborted when it has ended, whyever. */
  ended: AbortSignal
  idleTimer?: NodeJS.Timeout
}

const ENTRY = new URL('./thread.mjs', import.meta.url)

function startThread(memoryMb: number): Thread {
  const worker = new Worker(ENTRY, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 6 },
  })
  const ending = new AbortController()
  const end = (error?: unknown): void => ending.abort(error ?? new Error('The thread has ended.'))
  worker.on('error', end)
  worker.on('messageerror', end)
  worker.on('exit', () => end())
  // Whoever waits for its work has reasons of its own to stay alive.
  worker.unref()
  return { worker, ended: ending.signal }
}

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code

async function tell(thread: Thread, message: ToThread, signal: AbortSignal): Promise<FromThread> {
  const either = AbortSignal.any([signal, thread.ended])
  const answered = once(thread.worker, 'message', { signal: either })
  thread.worker.postMessage(message)
  try {
    const [answer]: FromThread[] = await answered
    return answer as FromThread
  } catch {
    signal.throwIfAborted()
    const cause: unknown = thread.ended.reason
    const isTooLarge = hasCode(cause, 'ERR_WORKER_OUT_OF_MEMORY')
    throw isTooLarge
      ? new RangeError('The work is too large for a thread.', { cause })
      : new Error('A thread has broken down.', { cause })
  }
}

/** Gives the work to a thread and serves it until it is done. */
async function converse<N extends TaskName>(
  thread: Thread,
  task: N,
  { order, input, onOutput, signal }: ThreadWork<N>,
): Promise<Extract<FromThread, { kind: 'done' | 'failed' }>> {
  const parts = input[Symbol.iterator]()
  let message: ToThread = { kind: 'order', task, order }
  for (;;) {
    const said = await tell(thread, message, signal)
    switch (said.kind) {
      case 'wants-input': {
        const next = parts.next()
        message = next.done ? { kind: 'no-more-input' } : { kind: 'input', part: next.value }
        break
      }
      case 'output':
        await onOutput(said.part as Tasks[N]['output'])
        message = { kind: 'taken' }
        break
      default:
        return said
    }
  }
}

const MOST_THREADS = 1
const IDLE_MS = 1_000
const MEMORY_MB = 128

export function createThreadPool({
  most = MOST_THREADS,
  idleMs = IDLE_MS,
  memoryMb = MEMORY_MB,
}: PoolOptions = {}): ThreadPool {
  const door = createDoor(most)
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
      if (!thread.ended.aborted) return thread
      threads.delete(thread)
    }
    const thread = startThread(memoryMb)
    threads.add(thread)
    return thread
  }
  const putAside = (thread: Thread): void => {
    idle.push(thread)
    thread.idleTimer = setTimeout(() => {
      idle.splice(idle.indexOf(thread), 1)
      void end(thread)
    }, idleMs).unref()
  }
  return {
    async run<N extends TaskName>(task: N, work: ThreadWork<N>) {
      const leave = await door.enter(work.signal)
      try {
        const thread = take()
        const said = await converse(thread, task, work).catch(async (error: unknown) => {
          await end(thread)
          throw error
        })
        putAside(thread)
        if (said.kind === 'failed') throw said.error
        return said.result as Tasks[N]['result']
      } finally {
        leave()
      }
    },
    async close() {
      await Promise.all([...threads].map(end))
    },
  }
}
