import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findSteadyPort } from './steady-port.ts'
import { findTool, startTool, type Tool } from './tools.ts'
import { waitUntil } from './wait-until.ts'

export interface SentinelCluster {
  /** The URL of the primary, whichever of the two servers it is. */
  readonly url: string
  /** Kills the primary (`kill -9`) and waits until Sentinel has made the other server the primary. */
  failOver(): Promise<void>
  close(): Promise<void>
}

const TOOLS = ['redis-server', 'redis-sentinel', 'haproxy'] as const

/** Returns the programs that `startSentinelCluster` needs and that are not installed. */
export const listMissingForSentinel = (): string[] => TOOLS.filter((name) => !findTool(name))

/** Starts two Redis servers, a Sentinel, and a proxy that connects its clients with the primary. */
export async function startSentinelCluster(): Promise<SentinelCluster> {
  const first = await findSteadyPort(4)
  const [primary, replica, sentinel, proxy] = [first, first + 1, first + 2, first + 3] as const
  const tools: Tool[] = []
  const close = async (): Promise<void> => void (await Promise.all(tools.map((tool) => tool.stop())))
  const start = async (...args: Parameters<typeof startTool>): Promise<Tool> => {
    const tool = await startTool(...args)
    tools.push(tool)
    return tool
  }
  const startWithConfig = (name: string, option: string[], config: string): Promise<Tool> =>
    start(name, async (directory) => {
      const file = join(directory, 'config')
      await writeFile(file, config)
      return [...option, file]
    })
  try {
    const server = await start('redis-server', (directory) => listServerArgs(directory, primary))
    await start('redis-server', (directory) => [
      ...listServerArgs(directory, replica),
      ...['--replicaof', '127.0.0.1', String(primary)],
    ])
    const watcher = await startWithConfig('redis-sentinel', [], buildSentinelConfig(sentinel, primary))
    await startWithConfig('haproxy', ['-db', '-f'], buildProxyConfig(proxy, [primary, replica]))
    await waitUntil('Sentinel knows both servers', async () => (await watcher.readLog()).includes('+slave'))
    return {
      url: `redis://127.0.0.1:${proxy}`,
      async failOver() {
        process.kill(Number(await readFile(join(server.directory, 'server.pid'), 'utf8')), 'SIGKILL')
        await waitUntil('another server is the primary', async () =>
          (await watcher.readLog()).includes('+switch-master'),
        )
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const listServerArgs = (directory: string, port: number): string[] => [
  ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no'],
  ...['--maxmemory-policy', 'noeviction', '--repl-diskless-sync-delay', '0'],
  ...['--pidfile', join(directory, 'server.pid')],
]

/** A single Sentinel decides alone. In production there are three. */
const buildSentinelConfig = (port: number, primary: number): string => `
port ${port}
bind 127.0.0.1
sentinel monitor subtext 127.0.0.1 ${primary} 1
sentinel down-after-milliseconds subtext 1000
sentinel failover-timeout subtext 10000
`

/** As in the guide for operators: only the primary is up, and a server that goes down loses its connections. */
const buildProxyConfig = (port: number, servers: number[]): string => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h

frontend redis
  bind 127.0.0.1:${port}
  default_backend primary

backend primary
  option tcp-check
  tcp-check send PING\\r\\n
  tcp-check expect string +PONG
  tcp-check send INFO\\ replication\\r\\n
  tcp-check expect string role:master
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server, nth) => `  server redis-${nth} 127.0.0.1:${server}`).join('\n')}
`
