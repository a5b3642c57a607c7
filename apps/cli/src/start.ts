import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { migrate } from '@subtext/db'
import { startEmbedded } from '@subtext/embedded'
import { EnvError } from '@subtext/runtime'
import { assertUsable, DATA_DIR, readSettings, type Settings } from './env.ts'
import { announce, withdraw } from './running-service.ts'
import { startService } from './service.ts'

/** Servers need a few seconds after the apps, and all must be over within ten. */
const APPS_GRACE_MS = 5_000

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 3000

const say = (text: string): void => console.error(text)

async function main(): Promise<void> {
  const given = readSettings()
  assertUsable(given)
  const { signal } = stopSignal()
  await assertPortFree(Number(given.PORT ?? DEFAULT_PORT), given.HOST ?? DEFAULT_HOST)
  await mkdir(DATA_DIR, { recursive: true })
  const servers = await startEmbedded({
    dataDir: DATA_DIR,
    databaseUrl: given.DATABASE_URL,
    redisUrl: given.REDIS_URL,
    durable: true,
    onProgress: say,
  })
  try {
    await serve(given, servers, signal)
  } finally {
    await servers.stop()
  }
}

/** Another service on the port would answer our questions in the place of ours. */
async function assertPortFree(port: number, host: string): Promise<void> {
  const probe = createServer()
  const free = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
  })
  if (!free) throw new StartError(`Port ${port} is taken; choose another with PORT=...`)
  await new Promise((resolve) => probe.close(resolve))
}

class StartError extends Error {}

async function serve(
  given: Settings,
  { databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string },
  stopped: AbortSignal,
): Promise<void> {
  const applied = await migrate(databaseUrl)
  if (applied.length > 0) say(`applied ${applied.length} migration(s)`)
  await announce({ databaseUrl, redisUrl })
  const baseUrl = `http://${given.HOST ?? DEFAULT_HOST}:${given.PORT ?? DEFAULT_PORT}`
  const settings = { SHUTDOWN_GRACE_SECONDS: '3', ...given, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }
  try {
    const service = await startService(settings, baseUrl, say)
    console.log(`ready ${baseUrl}/api/v1`)
    if (!stopped.aborted) await once(stopped, 'abort')
    say('stopping')
    await service.stop(APPS_GRACE_MS)
  } finally {
    await withdraw()
  }
}

/** Aborted by the first Ctrl-C or SIGTERM; a second one changes nothing, the end is bounded anyway. */
function stopSignal(): AbortController {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  return controller
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(error instanceof EnvError || error instanceof StartError ? error.message : `${(error as Error).stack}`)
    process.exit(1)
  },
)
