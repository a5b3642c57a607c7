import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clusterEnv } from '@subtext/db/testing'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { listChildren, type RunningProgram } from './programs.ts'

/** The top folder of the repository. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** Starts a program of the build as its npm script does. */
function launch(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    // Any free port: several services run at the same time.
    env: { ...inheritedEnv(), MCP_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): { out: string; err: string } {
  const text = { out: '', err: '' }
  child.stdout?.on('data', (chunk: Buffer) => {
    text.out += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    text.err += chunk
  })
  return text
}

async function runToEnd(child: ChildProcess) {
  const text = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...text }
}

/** Runs `npm run admin -- ...` to its end. */
export const runAdmin = (args: string[], settings: Record<string, string>) =>
  runToEnd(launch(['packages/build/src/run.mjs', 'standalone/admin', ...args], settings))

/** Runs `npm start` to its end, which comes only if it cannot start. */
export const runStart = (settings: Record<string, string>) =>
  runToEnd(launch(['packages/build/src/run.mjs', 'standalone/start'], settings))

/** Runs the migration program of a production install to its end. */
export const runMigrate = (settings: Record<string, string>, args: string[] = []) =>
  runToEnd(launch(['dist/standalone/migrate.js', ...args], settings))

/** Runs `npm run chaos -- ...` to its end, or until `signal` is aborted. */
export function runChaosCommand(args: string[], signal: AbortSignal) {
  const child = launch(['packages/build/src/run.mjs', 'chaos/main', ...args], clusterEnv())
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return runToEnd(child)
}

export interface StartedService {
  readonly pid: number
  /** Returns what the command has printed on its standard output. */
  printed(): string
  /** Returns what it and its apps have written to standard error. */
  said(): string
  /** Returns the child processes of this moment. */
  children(): RunningProgram[]
  /** Sends SIGINT and returns the exit code of the command. */
  interrupt(): Promise<number | null>
  /** Kills the process itself, as a crash does; its servers keep running. */
  crash(): Promise<void>
  /** Stops the command if it is still running. */
  close(): Promise<void>
}

/** Runs `npm start`; returns when the command says that the service is ready. */
export async function startCommand(settings: Record<string, string>): Promise<StartedService> {
  const child = launch(['packages/build/src/run.mjs', 'standalone/start'], settings)
  const text = collect(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const close = async (): Promise<void> => {
    // Killing it would leave its servers running.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
  }
  try {
    await waitUntil('the service is ready', () => text.out.includes('\n') || child.exitCode !== null)
    if (child.exitCode !== null) throw new Error(`The command ended with ${child.exitCode}:\n${text.err}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    pid: child.pid ?? 0,
    printed: () => text.out,
    said: () => text.err,
    children: () => listChildren(child.pid ?? 0),
    interrupt() {
      child.kill('SIGINT')
      return ended
    },
    async crash() {
      child.kill('SIGKILL')
      await ended
    },
    close,
  }
}
