import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

/** Starts a program of the build as its npm script does. */
function launch(args: string[], settings: Record<string, string>): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...inheritedEnv(), ...settings },
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

/** `npm run admin -- ...`, to its end. */
export const runAdmin = (args: string[], settings: Record<string, string>) =>
  runToEnd(launch(['scripts/run.mjs', 'server/admin', ...args], settings))

/** `npm run chaos -- ...`, to its end, or to that of `signal`. */
export function runChaosCommand(args: string[], signal: AbortSignal) {
  const child = launch(['--import', 'tsx', 'packages/chaos/src/main.ts', ...args], {})
  signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return runToEnd(child)
}

export interface Program {
  pid: number
  command: string
}

export interface StartedService {
  /** What it has printed on its standard output. */
  printed(): string
  /** Its child processes at this moment. */
  children(): Program[]
  /** Milliseconds until it had ended, and its exit code. */
  interrupt(): Promise<{ took: number; code: number | null }>
  /** Ends the process itself without a word, as a crash does; its servers go on. */
  crash(): Promise<void>
  /** Ends it if it still runs. */
  close(): Promise<void>
}

const READY_MS = 60_000

/** `npm start`; returns when it says that it is ready. */
export async function startCommand(settings: Record<string, string>): Promise<StartedService> {
  const child = launch(['scripts/run.mjs', 'server/start'], settings)
  const text = collect(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const close = async (): Promise<void> => {
    // By force would leave its servers behind.
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await ended
  }
  try {
    await waitUntil('the service is ready', () => text.out.includes('\n') || child.exitCode !== null, READY_MS)
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${text.err}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    printed: () => text.out,
    children: () => listPrograms().filter(({ parent }) => parent === child.pid),
    async interrupt() {
      const began = performance.now()
      child.kill('SIGINT')
      const code = await ended
      return { took: performance.now() - began, code }
    },
    async crash() {
      child.kill('SIGKILL')
      await ended
    },
    close,
  }
}

function listPrograms(): (Program & { parent: number })[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(.*)$/gm)].map(([, pid, parent, , command]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command: command ?? '',
  }))
}

/** Those of the programs that still run. */
export function selectRunning(programs: Program[]): Program[] {
  const running = listPrograms()
  return programs.filter(({ pid, command }) => running.some((other) => other.pid === pid && other.command === command))
}
