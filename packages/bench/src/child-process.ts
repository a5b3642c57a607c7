import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const TSX = fileURLToPath(import.meta.resolve('tsx'))
const STOP_GRACE_MS = 8_000

interface Question {
  id: number
  verb: string
  argument: unknown
}

interface Answer {
  id: number
  value?: unknown
  error?: string
}

export interface Child {
  readonly pid: number
  /** Calls one of the child's verbs; throws what it threw, and when it ends before it has answered. */
  ask<T>(verb: string, argument?: unknown): Promise<T>
  stop(): Promise<void>
}

/**
 * Starts a program of ours. It has a process group of its own, so that Ctrl-C reaches only us and we end it; the channel
 * tells it when we are gone. What it prints goes into `logFile`, as a log of a real process would.
 */
export function startChild(file: string, logFile: string, settings: Record<string, string> = {}): Child {
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, ['--import', TSX, file], {
    env: { ...inheritedEnv(), NODE_ENV: 'production', ...settings },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let asked = 0
  child.on('message', ({ id, value, error }: Answer) => {
    const question = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) question?.resolve(value)
    else question?.reject(new Error(error))
  })
  const exited = once(child, 'exit').then(() => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended; see ${logFile}`))
    waiting.clear()
  })
  return {
    pid: child.pid ?? 0,
    ask: <T>(verb: string, argument?: unknown) =>
      new Promise<T>((resolve, reject) => {
        const id = asked++
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ id, verb, argument } satisfies Question, (error) => error && reject(error))
      }),
    stop: () => endChild(child, exited),
  }
}

async function endChild(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS)
  await exited
  clearTimeout(timer)
}

/** The child's side: answers the questions of `startChild`, and ends when its parent has. */
export function answerQuestions(verbs: Record<string, (argument: never) => Promise<unknown>>): void {
  const send = (answer: Answer): void => void process.send?.(answer)
  process.on('message', ({ id, verb, argument }: Question) => {
    const run = verbs[verb] as ((argument: unknown) => Promise<unknown>) | undefined
    Promise.resolve(run ? run(argument) : Promise.reject(new Error(`There is no verb ${verb}.`))).then(
      (value) => send({ id, value }),
      (error: Error) => send({ id, error: error.stack ?? error.message }),
    )
  })
  process.once('disconnect', () => process.exit(0))
}
