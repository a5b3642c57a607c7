import { availableParallelism } from 'node:os'
import { createSemaphore } from '@subtext/runtime'
import type { RenderedDocument, RenderRequest } from './render-document.ts'
import { RENDER_FAILURES, RenderError } from './render-error.ts'
import { type RenderProcess, startRenderProcess } from './start-render-process.ts'

export interface Renderer {
  /**
   * Renders a document in a process of its own. The same request gives the same bytes. Rejects with a `RenderError`, with the
   * signal's reason, or with the error of reading the data; in all cases the process has ended.
   */
  render(request: RenderRequest, signal?: AbortSignal): Promise<RenderedDocument>
  /** Number of documents that are being rendered. */
  active(): number
  /** Ends all processes. Renders in progress reject. */
  close(): void
}

export interface RendererOptions {
  /** Maximum number of documents at once; more are refused as `busy`. */
  maxRenders?: number
  /**
   * How many of them use a processor at once; the others wait for their turn. Default: one less than there are processors, so
   * that there is always one for everything else, but at least one.
   */
  maxParallel?: number
  /** Time limit of a document from its turn on, in milliseconds. */
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
const TIMEOUT_MS = 60_000
const MEMORY_BYTES = 2 * 1024 ** 3
const IDLE_MS = 15_000

/** Creates a renderer without processes. They start when they are needed, and render further documents until they are idle. */
export function createRenderer({
  maxRenders = MAX_RENDERS,
  maxParallel = Math.max(1, availableParallelism() - 1),
  timeoutMs = TIMEOUT_MS,
  memoryBytes = MEMORY_BYTES,
  idleMs = IDLE_MS,
  observe = () => undefined,
}: RendererOptions = {}): Renderer {
  const permits = createSemaphore(maxRenders)
  const turns = createSemaphore(maxParallel)
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
      const document = await process.render(request, { timeoutMs, signal })
      putBack(process)
      return document
    } catch (error) {
      forget(process)
      throw error
    }
  }
  return {
    async render(request, signal) {
      signal?.throwIfAborted()
      const { template } = request
      if (!permits.tryAcquire()) {
        observe({ template, outcome: 'busy' }, 0)
        throw new RenderError('busy')
      }
      const began = performance.now()
      const end = (outcome: RenderOutcome) => observe({ template, outcome }, (performance.now() - began) / 1_000)
      active++
      const waiting = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      try {
        const document = await turns.run(() => {
          // It may have been closed between the turn and now.
          waiting.throwIfAborted()
          return renderNow(request, signal)
        }, waiting)
        end('rendered')
        return document
      } catch (error) {
        end(error instanceof RenderError ? error.failure : 'abandoned')
        throw error
      } finally {
        active--
        permits.release()
      }
    },
    active: () => active,
    close() {
      closing.abort(new RenderError('failed', 'The renderer was closed.'))
      for (const process of all) forget(process)
    },
  }
}
