import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedServer, startPostgres, startRedis } from '@subtext/embedded'
import { DATA_DIR } from './env.ts'

interface KeptServer {
  readonly url: string
  stop(): Promise<void>
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5_000

/** Keeps a server running: one that ends by itself is started again where it was, so that its clients find it. */
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
      for (let pause = FIRST_PAUSE_MS; !stopping.signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        say(`${name} ended, starting it again`)
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

/** Starts and keeps the embedded servers for the addresses that are not given, with durable settings. */
export async function keepServers(
  given: { databaseUrl?: string; redisUrl?: string },
  say: (text: string) => void,
): Promise<KeptServers> {
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
