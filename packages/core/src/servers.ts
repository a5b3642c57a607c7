import { checkDatabaseConnection } from '@subtext/db'
import { checkRedisConnection, UnusableServerError } from '@subtext/queue'
import { describeNetworkError } from '@subtext/runtime'

/** The settings that hold the addresses of servers. */
export interface ServerSettings {
  DATABASE_URL?: string | undefined
  REDIS_URL?: string | undefined
}

type Setting = keyof ServerSettings

const SERVERS: Record<
  Setting,
  { name: string; port: string; check: (url: string, timeoutMs: number) => Promise<void> }
> = {
  DATABASE_URL: { name: 'PostgreSQL', port: '5432', check: checkDatabaseConnection },
  REDIS_URL: { name: 'Redis', port: '6379', check: checkRedisConnection },
}

const TIMEOUT_MS = 5_000

/** Returns the host and the port of a server, without credentials. */
function targetOf(url: string, defaultPort: string): string {
  const { hostname, port, searchParams } = new URL(url)
  // PostgreSQL's connection strings may name a socket as a parameter.
  const host = hostname || searchParams.get('host') || 'localhost'
  return host.startsWith('/') ? host : `${host}:${port || defaultPort}`
}

/** A server that does not accept connections or cannot be used. */
export interface UnreachableServer {
  setting: Setting
  /** Names the setting, host, port and reason; never a password. */
  message: string
  /** Whether it answers, so that waiting for it would not help. */
  isUnusable: boolean
}

/** Tries to use each server whose address is given, and returns those that fail. Takes at most a few seconds. */
export async function findUnreachableServers(settings: ServerSettings): Promise<UnreachableServer[]> {
  const tried = Object.entries(SERVERS).map(async ([key, { name, port, check }]) => {
    const setting = key as Setting
    const url = settings[setting]
    if (url === undefined) return []
    try {
      await check(url, TIMEOUT_MS)
      return []
    } catch (error) {
      const isUnusable = error instanceof UnusableServerError
      const [verb, reason] = isUnusable ? ['use', error.message] : ['connect to', describeNetworkError(error)]
      return [
        { setting, message: `${setting}: cannot ${verb} ${name} at ${targetOf(url, port)} (${reason}).`, isUnusable },
      ]
    }
  })
  return (await Promise.all(tried)).flat()
}

/**
 * Logs the servers that cannot be reached, for processes that start nevertheless and wait for them. Rejects with
 * `UnusableServerError` if one of them cannot be used.
 */
export async function checkServers(settings: ServerSettings, log: { warn(message: string): void }): Promise<void> {
  const unreachable = await findUnreachableServers(settings)
  for (const { message, isUnusable } of unreachable) {
    if (isUnusable) throw new UnusableServerError(message)
    log.warn(`${message} Waiting for it.`)
  }
}
