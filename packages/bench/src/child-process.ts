import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const STOP_GRACE_MS = 8_000

interface Call {
  id: number
  method: string
  argument: unknown
}

interface Reply {
  id: number
  value?: unknown
  error?: string
}

export interface Child {
  readonly pid: number
  /** Calls a method of the child. Throws what the method throws, or when the child exits before it has replied. */
  call<T>(method: string, argument?: unknown): Promise<T>
  stop(): Promise<void>
}

/**
 * Starts a program of this package in a separate process group, so that Ctrl-C reaches only the parent, which then stops the
 * child. The IPC channel tells the child when the parent is gone. Its output goes to `logFile`, as in production.
 */
export function startChild(file: URL, logFile: string, settings: Record<string, string> = {}): Child {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [fileURLToPath(file)], {
    env: { ...inheritedEnv(), NODE_ENV: 'production', ...settings },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let calls = 0
  child.on('message', ({ id, value, error }: Reply) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(value)
    else call?.reject(new Error(error))
  })
  const exited = once(child, 'exit').then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${file.pathname} exited; see ${logFile}.`))
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    call: <T>(method: string, argument?: unknown) =>
      new Promise<T>((resolve, reject) => {
        const id = calls++
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ id, method, argument } satisfies Call, (error) => error && reject(error))
      }),
    stop: () => stopChild(child, exited),
  }
}

async function stopChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
  await exited
  clearTimeout(timer)
}

/** Runs in the child: handles the parent's calls, and exits when the parent is gone. */
export function handleCalls(methods: Record<string, (argument: never) => Promise<unknown>>): void {
  const send = (reply: Reply): void => void process.send?.(reply)
  process.on('message', ({ id, method, argument }: Call) => {
    const run = methods[method] as ((argument: unknown) => Promise<unknown>) | undefined
    Promise.resolve(run ? run(argument) : Promise.reject(new Error(`Unknown method: ${method}.`))).then(
      (value) => send({ id, value }),
      (error: Error) => send({ id, error: error.stack ?? error.message }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}
