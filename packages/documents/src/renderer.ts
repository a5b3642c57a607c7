import { createAccountQueue, QueueFullError } from '@subtext/runtime'
import type { RenderedDocument, RenderRequest } from './render-document.ts'
import { RENDER_FAILURES, RenderError } from './render-error.ts'
import { type RenderProcess, startRenderProcess } from './start-render-process.ts'

export interface Renderer {
  /**
   * Renders a document in a process of its own. The same request gives the same bytes. Rejects with a `RenderError`, with the
   * signal's reason, or with the error of reading the data; in all cases the process has ended.
   */
  render(request: RenderRequest, options?: RenderOptions): Promise<RenderedDocument>
  /** Number of documents that are being rendered or wait for their turn. */
  active(): number
  /** Ends all processes. Renders in progress reject. */
  close(): void
}

export interface RenderOptions {
  /** Whose document it is. Accounts share the turns. */
  account?: string
  signal?: AbortSignal | undefined
}

export interface RendererOptions {
  /** Maximum number of documents at once. One account has one turn less, unless there is only one. */
  maxRenders?: number
  /** How many further documents wait for their turn; more are refused as `busy`. */
  maxWaiting?: number
  /** How long they wait, in milliseconds. */
  maxWaitMs?: number
  /** Limit of a document's CPU time, in milliseconds. A busy machine takes longer for the same document. */
  cpuMs?: number
  /** Time limit of a document from its turn on, in milliseconds: for a process that hangs without using its CPU time. */
  timeoutMs?: number
  /** Memory limit of a process, in bytes. */
  memoryBytes?: number
  /** Milliseconds after which an idle process ends. */
  idleMs?: number
  /** Called at the end of every render, refused ones included. */
  observe?: ObserveRender
}

/** Outcomes of a render. `abandoned`: its caller has gone, or its data could not be read. */
export const RENDER_OUTCOMES = ['rendered', 'abandoned', ...RENDER_FAILURES] as const
type RenderOutcome = (typeof RENDER_OUTCOMES)[number]
/** Receives the duration of a render in seconds. */
export type ObserveRender = (labels: { template: string; outcome: RenderOutcome }, seconds: number) => void

const MAX_RENDERS = 2
const MAX_WAITING = 20
const MAX_WAIT_MS = 30_000
const CPU_MS = 60_000
/** Of the CPU time, for which a process of low priority waits on a busy machine. */
const TIMEOUT_FACTOR = 10
const MEMORY_BYTES = 2 * 1024 ** 3
const IDLE_MS = 15_000

/** Creates a renderer without processes. They start when they are needed, and render further documents until they are idle. */
export function createRenderer({
  maxRenders = MAX_RENDERS,
  maxWaiting = MAX_WAITING,
  maxWaitMs = MAX_WAIT_MS,
  cpuMs = CPU_MS,
  timeoutMs = cpuMs * TIMEOUT_FACTOR,
  memoryBytes = MEMORY_BYTES,
  idleMs = IDLE_MS,
  observe = () => undefined,
}: RendererOptions = {}): Renderer {
  const queue = createAccountQueue({ maxActive: maxRenders, maxWaiting, maxWaitMs })
  const closing = new AbortController()
  const all = new Set<RenderProcess>()
  const idle = new Map<RenderProcess, NodeJS.Timeout>()
  let active = 0

  const forget = (process: RenderProcess): void => {
    clearTimeout(idle.get(process))
    idle.delete(process)
    all.delete(process)
    process.end()
  }
  const take = (): RenderProcess => {
    for (const [process, timer] of idle) {
      clearTimeout(timer)
      idle.delete(process)
      if (process.isUsable()) return process
      all.delete(process)
    }
    const process = startRenderProcess(memoryBytes)
    all.add(process)
    return process
  }
  const putBack = (process: RenderProcess): void => {
    idle.set(process, setTimeout(forget, idleMs, process).unref())
  }
  const renderNow = async (request: RenderRequest, signal?: AbortSignal): Promise<RenderedDocument> => {
    const process = take()
    try {
      const document = await process.render(request, { cpuMs, timeoutMs, signal })
      putBack(process)
      return document
    } catch (error) {
      forget(process)
      throw error
    }
  }
  return {
    async render(request, { account = '', signal } = {}) {
      signal?.throwIfAborted()
      const { template } = request
      const began = performance.now()
      const end = (outcome: RenderOutcome) => observe({ template, outcome }, (performance.now() - began) / 1_000)
      active++
      const waiting = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      try {
        const leave = await queue.enter(account, waiting).catch((error: unknown) => {
          throw error instanceof QueueFullError ? new RenderError('busy') : error
        })
        try {
          // It may have been closed between the turn and now.
          waiting.throwIfAborted()
          const document = await renderNow(request, signal)
          end('rendered')
          return document
        } finally {
          leave()
        }
      } catch (error) {
        end(error instanceof RenderError ? error.failure : 'abandoned')
        throw error
      } finally {
        active--
      }
    },
    active: () => active,
    close() {
      closing.abort(new RenderError('failed', 'The renderer was closed.'))
      for (const process of all) forget(process)
    },
  }
}
