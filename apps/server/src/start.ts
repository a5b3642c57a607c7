import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiEnv, localOrigin } from '@subtext/api/env'
import { migrate } from '@subtext/db'
import { DirectoryInUseError } from '@subtext/embedded'
import { EnvError } from '@subtext/runtime'
import { assertUsable, DATA_DIR, readSettings, type Settings } from './env.ts'
import { type KeptServers, keepServers } from './kept-servers.ts'
import { announce, withdraw } from './running-service.ts'
import { keepSecretKey } from './secret-key.ts'
import { startService } from './service.ts'

/** Servers need a few seconds after the apps, and all must be over within ten. */
const APPS_GRACE_MS = 5_000
/** How long another program, such as the admin command, may hold the data before we give up. */
const DATA_WAIT_MS = 5_000
const LOOK_AGAIN_MS = 250

const say = (text: string): void => console.error(text)

/** Aborted by the first Ctrl-C or SIGTERM; a second one changes nothing, the end is bounded anyway. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  return controller.signal
}

async function main(): Promise<void> {
  const given = readSettings()
  assertUsable(given)
  const stopped = stopSignal()
  const listens = ApiEnv.pick({ HOST: true, PORT: true }).parse(given)
  await assertPortFree(listens.PORT, listens.HOST)
  await mkdir(DATA_DIR, { recursive: true })
  const servers = await untilDataFree(() =>
    keepServers({ databaseUrl: given.DATABASE_URL, redisUrl: given.REDIS_URL }, say),
  )
  try {
    await Promise.race([once(stopped, 'abort'), prepare(given, servers)])
    if (!stopped.aborted) await serve(given, servers, localOrigin(listens), stopped)
  } finally {
    if (!given.DATABASE_URL) await withdraw()
    await servers.stop()
  }
}

/** Another service on the port would answer our questions in the place of ours. */
async function assertPortFree(port: number, host: string): Promise<void> {
  const probe = createServer()
  const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    probe.once('error', resolve).listen(port, host, () => resolve(null))
  })
  if (fault?.code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken; choose another with PORT=...`)
  if (fault) throw new StartError(`Cannot listen on ${host}:${port}: ${fault.message}`)
  await new Promise((resolve) => probe.close(resolve))
}

class StartError extends Error {}

async function untilDataFree<T>(start: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + DATA_WAIT_MS
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw error
      if (performance.now() > deadline) throw new StartError(error.message, { cause: error })
      await sleep(LOOK_AGAIN_MS)
    }
  }
}

async function prepare(given: Settings, { databaseUrl, redisUrl }: KeptServers): Promise<void> {
  const applied = await migrate(databaseUrl)
  if (applied.length > 0) say(`applied ${applied.length} migration(s)`)
  if (!given.DATABASE_URL) await announce({ databaseUrl, redisUrl })
}

async function chooseSecretKey({ DATABASE_URL, WEBHOOK_SECRET_KEY }: Settings): Promise<string> {
  if (WEBHOOK_SECRET_KEY) return WEBHOOK_SECRET_KEY
  const key = await keepSecretKey()
  if (DATABASE_URL) {
    say(`WEBHOOK_SECRET_KEY is not set: using the key kept in ${DATA_DIR}. Without it the webhook secrets are lost.`)
  }
  return key
}

async function serve(
  given: Settings,
  { databaseUrl, redisUrl }: KeptServers,
  origin: string,
  stopped: AbortSignal,
): Promise<void> {
  const settings = {
    SHUTDOWN_GRACE_SECONDS: '3',
    WEBHOOK_SECRET_KEY: await chooseSecretKey(given),
    ...given,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
  }
  say('starting the API, a worker and the webhook app')
  const service = await startService(settings, origin, say, stopped)
  if (!stopped.aborted) {
    console.log(`ready ${origin}/api/v1`)
    await once(stopped, 'abort')
  }
  say('stopping')
  await service.stop(APPS_GRACE_MS)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    say(error instanceof EnvError || error instanceof StartError ? error.message : `${(error as Error).stack}`)
    process.exit(1)
  },
)
