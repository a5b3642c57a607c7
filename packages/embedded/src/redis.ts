import { accessSync, constants } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClaimedDirectory, claimDirectory } from './data-directory.ts'
import { type EmbeddedServer, type ServerPlan, type StartOptions, startServer } from './embedded-server.ts'
import { commandPath } from './env.ts'
import { LOOPBACK } from './free-port.ts'
import { createPassword, readPassword } from './password.ts'
import { isRedisReady } from './redis-readiness.ts'
import type { ServerCommand } from './server-process.ts'
import type { ShutdownSteps } from './shut-down.ts'

const NATIVE_NAMES = ['redis-server', 'valkey-server'] as const

export type RedisKind = (typeof NATIVE_NAMES)[number] | 'js-redis-server'

export interface RedisOptions extends StartOptions {
  /** `auto` uses a server on the PATH, otherwise the one in JavaScript, which keeps its data in memory even if `durable`. */
  readonly implementation?: 'auto' | 'native' | 'javascript'
}

export interface EmbeddedRedis extends EmbeddedServer {
  readonly kind: RedisKind
}

const SHUTDOWN: ShutdownSteps = [
  { signal: 'SIGTERM', graceMs: 3500 },
  // Exits as soon as the system lets it, which on a busy machine is not at once.
  { signal: 'SIGKILL', graceMs: 10_000 },
]

/** Returns the path of an executable `redis-server` or `valkey-server`, or undefined if the PATH has none. */
export function findRedisServer(): string | undefined {
  const candidates = NATIVE_NAMES.flatMap((name) => commandPath().map((directory) => join(directory, name)))
  return candidates.find((candidate) => isExecutable(candidate))
}

/**
 * Starts a server that speaks the Redis protocol on the loopback address, with the data that an earlier durable start has
 * left in the directory, if any. Throws if another running process uses the directory or the server does not start.
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis> {
  const program = chooseProgram(options.implementation ?? 'auto')
  const claim = await claimDirectory(options.dataDir, SHUTDOWN, options.onProgress ?? (() => {}))
  let plan: ServerPlan
  try {
    plan = await planRedis(program, claim, options.durable)
  } catch (error) {
    claim.release()
    throw error
  }
  const server = await startServer(plan, claim, options)
  return { ...server, kind: kindOf(program) }
}

function chooseProgram(implementation: 'auto' | 'native' | 'javascript'): string | undefined {
  if (implementation === 'javascript') return undefined
  const program = findRedisServer()
  if (implementation === 'native' && program === undefined) {
    throw new Error(`There is no ${NATIVE_NAMES.join(' or ')} on the PATH.`)
  }
  return program
}

function kindOf(program: string | undefined): RedisKind {
  return NATIVE_NAMES.find((name) => program !== undefined && basename(program) === name) ?? 'js-redis-server'
}

async function planRedis(program: string | undefined, claim: ClaimedDirectory, durable: boolean): Promise<ServerPlan> {
  const passwordFile = join(claim.path, 'password')
  const password = (await readPassword(passwordFile)) ?? (await createPassword(passwordFile))
  const configFile = join(claim.path, 'redis.conf')
  if (program !== undefined) await writeFile(configFile, buildConfig(password, durable), { mode: 0o600 })
  const common = { cwd: claim.path, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } }
  const command = (port: number): ServerCommand =>
    program === undefined
      ? { file: process.execPath, args: [JAVASCRIPT_SERVER, String(port), passwordFile], ...common }
      : { file: program, args: [configFile, '--port', String(port)], ...common }
  return {
    name: 'Redis',
    logFile: join(claim.path, 'server.log'),
    shutdown: SHUTDOWN,
    command,
    isReady: (port) => isRedisReady(port, password),
    url: (port) => `redis://:${password}@${LOOPBACK}:${port}`,
  }
}

const JAVASCRIPT_SERVER = fileURLToPath(new URL('./redis-javascript.mjs', import.meta.url))

/** A file, since every user of the machine can read arguments. `dir` is the directory the server is started in. */
function buildConfig(password: string, durable: boolean): string {
  return [
    `bind ${LOOPBACK}`,
    `requirepass ${password}`,
    'dir ./',
    'save ""',
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'appendfsync everysec',
    '',
  ].join('\n')
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
