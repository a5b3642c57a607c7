import { type ChildProcess, fork } from 'node:child_process'
import { on } from 'node:events'
import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { withTimeout } from '@subtext/runtime'
import type { RenderedDocument, RenderRequest } from './render-document.ts'
import { RenderError } from './render-error.ts'

const PROGRAM = fileURLToPath(new URL('./render-process.mjs', import.meta.url))
const FONT_SETTINGS = fileURLToPath(new URL('./fonts.conf', import.meta.url))
const MAX_LOG_CHARS = 2_000
/** Exit code of a process without a compiler. */
const UNSUPPORTED = 69
/** A nice value: a tenth of the CPU time of other processes where it is scarce. */
const LOWER_PRIORITY = 10
const MAX_TAGGED_BYTES = 1_000_000
/** Keeps the process small: most of its memory is used for a moment, by several threads. */
const SMALL_HEAP = ['--max-semi-space-size=2']
const ONE_ARENA = { MALLOC_ARENA_MAX: '1' }
/** Larger messages would keep the event loop busy for too long. */
const MAX_PART_CHARS = 65_536

type Message =
  | { kind: 'file'; name: string; bytes: Uint8Array }
  | { kind: 'data'; text: string }
  | ({ kind: 'render'; cpuMs: number } & Required<Omit<RenderRequest, 'data' | 'files'>>)

type Answer =
  | { kind: 'output'; bytes: Uint8Array }
  | { kind: 'done'; result: Omit<RenderedDocument, 'bytes'> }
  | { kind: 'failed'; message: string }

interface RenderLimits {
  cpuMs: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

/** A process that renders one document at a time. It ends when `render` rejects. */
export interface RenderProcess {
  /** Rejects with a `RenderError`, with the signal's reason, or with what reading the data throws. */
  render(request: RenderRequest, limits: RenderLimits): Promise<RenderedDocument>
  /** Whether it can render another document. */
  isUsable(): boolean
  end(): void
}

export function startRenderProcess(memoryBytes: number): RenderProcess {
  const child = startChild(memoryBytes)
  const exited = watchExit(child)
  const end = (): void => {
    exited.abort(new RenderError('failed', 'Its process was ended.'))
    child.kill('SIGKILL')
  }
  return {
    render: (request, { cpuMs, timeoutMs, signal }) =>
      withTimeout(timeoutMs, signal, async (limit) => {
        const stop = AbortSignal.any([limit, exited.signal])
        hold(child)
        try {
          // It listens from now on, and so does not miss an answer.
          const answers = on(child, 'message', { signal: stop })
          await sendRequest(child, request, { cpuMs, stop })
          return await receiveDocument(answers)
        } catch (error) {
          const reason = exited.signal.aborted ? exited.signal.reason : reasonOf(limit, signal)
          end()
          throw reason ?? error
        } finally {
          release(child)
        }
      }),
    isUsable: () => !exited.signal.aborted,
    end,
  }
}

function startChild(memoryBytes: number): ChildProcess {
  const child = fork(PROGRAM, [String(memoryBytes)], {
    // No setting and no secret of the service reaches it.
    env: { FONTCONFIG_FILE: FONT_SETTINGS, ...ONE_ARENA },
    execArgv: SMALL_HEAP,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // In a session of its own: see `lowerPriority`.
    detached: true,
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

/**
 * Lets everything else on the machine come first. Linux can share the processors among sessions before it shares them among the
 * processes of each (sched(7), autogroup): the nice value of a process then means nothing to Postgres or to another app, which
 * have sessions of their own, and that of the session does.
 */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, LOWER_PRIORITY)
    writeFileSync(`/proc/${pid}/autogroup`, String(LOWER_PRIORITY))
  } catch {
    // The process has already exited, which `watchExit` reports, or the system has no groups.
  }
}

/** Aborts with a `RenderError` when the process exits or does not start. */
function watchExit(child: ChildProcess): AbortController {
  const exited = new AbortController()
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-MAX_LOG_CHARS)
  })
  child.on('error', (cause) => exited.abort(new RenderError('failed', 'Its process broke down.', { cause })))
  child.on('exit', (code, signal) => {
    const detail = `Its process ended with ${signal ?? `code ${code}`}. ${log}`.trim()
    // Only the watchdog and the kernel send SIGKILL: `end` has already aborted. The watchdog also sends SIGALRM.
    if (signal === 'SIGKILL') exited.abort(new RenderError('memory'))
    else if (signal === 'SIGALRM') exited.abort(new RenderError('timeout'))
    else exited.abort(code === UNSUPPORTED ? new RenderError('unsupported') : new RenderError('failed', detail))
  })
  return exited
}

/** Returns why a render was stopped: its own time limit or the caller's signal. */
function reasonOf(limit: AbortSignal, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  return limit.aborted ? new RenderError('timeout') : undefined
}

/** An idle process must not keep its parent alive. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function hold(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** Sends everything piece by piece, as fast as the process takes it. */
async function sendRequest(
  child: ChildProcess,
  { data, files, maxTaggedBytes = MAX_TAGGED_BYTES, ...rest }: RenderRequest,
  { cpuMs, stop }: { cpuMs: number; stop: AbortSignal },
): Promise<void> {
  const send = (message: Message): Promise<void> => {
    stop.throwIfAborted()
    return new Promise((resolve, reject) => {
      child.send(message, (error) => (error ? reject(error) : resolve()))
    })
  }
  for (const [name, bytes] of Object.entries(files ?? {})) await send({ kind: 'file', name, bytes })
  for await (const piece of data) {
    for (let at = 0; at < piece.length; at += MAX_PART_CHARS) {
      await send({ kind: 'data', text: piece.slice(at, at + MAX_PART_CHARS) })
    }
  }
  await send({ kind: 'render', cpuMs, maxTaggedBytes, ...rest })
}

async function receiveDocument(answers: AsyncIterable<unknown[]>): Promise<RenderedDocument> {
  const parts: Uint8Array[] = []
  for await (const [message] of answers) {
    const answer = message as Answer
    if (answer.kind === 'output') parts.push(answer.bytes)
    else if (answer.kind === 'failed') throw new RenderError('failed', answer.message)
    else return { bytes: Buffer.concat(parts), ...answer.result }
  }
  throw new RenderError('failed')
}
