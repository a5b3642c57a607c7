import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimDirectory } from './data-directory.ts'
import { type EmbeddedServer, type ServerPlan, type StartOptions, startServer } from './embedded-server.ts'
import { LOOPBACK } from './free-port.ts'
import { type PostgresRun, preparePostgresRun } from './postgres-account.ts'
import { ensureCluster, POSTGRES_ENV, POSTGRES_USER } from './postgres-cluster.ts'
import type { ShutdownSteps } from './shut-down.ts'

/** A "fast" shutdown (disconnects clients), then an "immediate" one (recovers at the next start): PostgreSQL manual, 18.5. */
const SHUTDOWN: ShutdownSteps = [
  { signal: 'SIGINT', graceMs: 3000 },
  { signal: 'SIGQUIT', graceMs: 1000 },
  // Exits as soon as the system lets it, which on a busy machine is not at once.
  { signal: 'SIGKILL', graceMs: 10_000 },
]

/**
 * Starts PostgreSQL 18 on the loopback address, with the data that an earlier start has left in the directory, if any.
 * Throws if another running process uses the directory or the server does not start.
 */
export async function startPostgres(options: StartOptions): Promise<EmbeddedServer> {
  const { durable, onProgress = () => {} } = options
  const claim = await claimDirectory(options.dataDir, SHUTDOWN, onProgress)
  const clusterDir = join(claim.path, 'cluster')
  let plan: ServerPlan
  try {
    const run = await preparePostgresRun(clusterDir, onProgress)
    const password = await ensureCluster(claim.path, clusterDir, run, { durable, onProgress })
    plan = planPostgres({ directory: claim.path, clusterDir, run, password, durable })
  } catch (error) {
    claim.release()
    throw error
  }
  return startServer(plan, claim, options)
}

interface PlanInput {
  directory: string
  clusterDir: string
  run: PostgresRun
  password: string
  durable: boolean
}

function planPostgres({ directory, clusterDir, run, password, durable }: PlanInput): ServerPlan {
  const settings = {
    listen_addresses: LOOPBACK,
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: durable ? 'on' : 'off',
    // Costs next to nothing without fsync, and a killed server keeps what it has acknowledged.
    synchronous_commit: 'on',
    full_page_writes: durable ? 'on' : 'off',
  }
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return {
    name: 'Postgres',
    logFile: join(directory, 'server.log'),
    shutdown: SHUTDOWN,
    command: (port) => ({
      file: run.program('postgres'),
      args: ['-D', run.seenFromInside(clusterDir), '-p', String(port), ...settingArgs],
      cwd: clusterDir,
      env: POSTGRES_ENV,
      account: run.account,
    }),
    isReady: async (_port, pid) => isPostmasterReady(clusterDir, pid),
    url: (port) => `postgresql://${POSTGRES_USER}:${password}@${LOOPBACK}:${port}/postgres`,
  }
}

/** Reads postmaster.pid, which holds the pid in line 1 and the state in line 8 (src/include/utils/pidfile.h of PostgreSQL). */
function isPostmasterReady(clusterDir: string, pid: number): boolean {
  try {
    const lines = readFileSync(join(clusterDir, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
