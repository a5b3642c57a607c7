import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from './query.ts'
import { findSteadyPort } from './steady-port.ts'
import { findTool, startTool } from './tools.ts'
import { waitUntil } from './wait-until.ts'

export interface PgBouncer {
  /** The URL of the database, through the pooler. */
  readonly url: string
  /** Returns how many transactions it has passed on, except its own. */
  countTransactions(): Promise<number>
  close(): Promise<void>
}

/** The first version that keeps named statements in transaction mode. */
const MIN_VERSION = 1.21
/** Connections to the server. Fewer than the apps open, so that they have to share. */
const POOL_SIZE = 8
/** PgBouncer does not run as root. */
const NOBODY = 65_534

/** Returns whether a PgBouncer is installed that the service can use. */
export function hasPgBouncer(): boolean {
  const file = findTool('pgbouncer')
  const [, version] = /PgBouncer (\d+\.\d+)/.exec(file ? spawnSync(file, ['--version']).stdout.toString() : '') ?? []
  return Number(version) >= MIN_VERSION
}

/** Starts PgBouncer in transaction mode in front of a server. */
export async function startPgBouncer(databaseUrl: string): Promise<PgBouncer> {
  const server = new URL(databaseUrl)
  const user = decodeURIComponent(server.username)
  const port = await findSteadyPort()
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const tool = await startTool(
    'pgbouncer',
    async (directory) => {
      const users = join(directory, 'users.txt')
      const config = join(directory, 'pgbouncer.ini')
      await writeFile(users, `${quoted(user)} ${quoted(decodeURIComponent(server.password))}\n`, { mode: 0o644 })
      await writeFile(config, buildConfig({ server, user, port, users }), { mode: 0o644 })
      return [config]
    },
    process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {},
  )
  const url = new URL(databaseUrl)
  url.port = String(port)
  const adminUrl = new URL(url)
  adminUrl.pathname = '/pgbouncer'
  const isReady = () =>
    query(url.href, 'SELECT 1').then(
      () => true,
      () => false,
    )
  await waitUntil('PgBouncer accepts connections', isReady).catch(async (error: unknown) => {
    throw new Error(`${(error as Error).message}\n${await tool.readLog()}`)
  })
  return {
    url: url.href,
    async countTransactions() {
      const rows = await query(adminUrl.href, 'SHOW STATS')
      const passedOn = rows.filter(({ database }) => database !== 'pgbouncer')
      return passedOn.reduce((sum, row) => sum + Number(row.total_xact_count), 0)
    },
    close: tool.stop,
  }
}

/** As in the guide for operators, except for the sizes. */
const buildConfig = ({ server, user, port, users }: { server: URL; user: string; port: number; users: string }) => `
[databases]
* = host=${server.hostname} port=${server.port || 5432}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
stats_users = ${user}
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = ${POOL_SIZE}
max_client_conn = 500
`
