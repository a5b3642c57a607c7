import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { OriginEnv } from '@subtext/api/env'
import { createFirstOwnerLink, firstOwnerUrl } from '@subtext/core/accounts'
import { findUnreachableServers } from '@subtext/core/servers'
import { migrate, openDb } from '@subtext/db'
import { DirectoryInUseError } from '@subtext/embedded'
import { describeOpenHost, EnvError, localOrigin, publicBaseUrlOf } from '@subtext/runtime'
import type { z } from 'zod'
import { ALL_APPS, APPS } from './app-process.ts'
import { explainDataError } from './data-errors.ts'
import { assertUsable, DATA_DIR, readSettings, type Settings } from './env.ts'
import { type KeptServers, keepServers, MissingServersError } from './kept-servers.ts'
import { assertMetricsPortsFree, assertPortFree, StartError, selectMcpPort } from './ports.ts'
import { UnreachableServersError } from './reachable-servers.ts'
import { reportPlatform } from './report-platform.ts'
import { publishAddresses, withdrawAddresses } from './running-service.ts'
import { keepSecretKey } from './secret-key.ts'
import { selectApiBase, startService } from './service.ts'

/** The servers need a few seconds after the apps, and by default everything must have ended within ten. */
const DEFAULT_GRACE_SECONDS = '3'
/** How long the apps may take to hand back unfinished work after `SHUTDOWN_GRACE_SECONDS`. */
const HAND_BACK_MS = 2_000
/** How long another program, such as the admin command, may hold the data directory before the start fails. */
const DATA_WAIT_MS = 5_000
const DATA_POLL_INTERVAL_MS = 250

const say = (text: string): void => console.error(text)

/** Returns a signal that aborts on the first Ctrl-C or SIGTERM. Further ones change nothing: the shutdown has a time limit. */
function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())
  return controller.signal
}

async function main(): Promise<void> {
  const given = readSettings()
  assertUsable(given)
  const stopped = stopSignal()
  const address = OriginEnv.parse(given)
  // Another service on the port would answer the readiness checks meant for this one.
  await assertPortFree('PORT', address.PORT, address.HOST)
  await assertMetricsPortsFree(given, address.HOST)
  await checkServers(given)
  const servers = await untilDataFree(() =>
    keepServers({ databaseUrl: given.DATABASE_URL, redisUrl: given.REDIS_URL }, say),
  )
  try {
    await Promise.race([once(stopped, 'abort'), prepare(given, servers, publicBaseUrlOf(address))])
    if (!stopped.aborted) await serve(given, servers, address, stopped)
  } finally {
    if (!given.DATABASE_URL) await withdrawAddresses()
    await servers.stop()
  }
}

/** Throws if the database cannot be reached. Without Redis, the service starts: jobs wait in the database. */
async function checkServers({ DATABASE_URL, REDIS_URL }: Settings): Promise<void> {
  const unreachable = await findUnreachableServers({ DATABASE_URL, REDIS_URL })
  const isFatal = unreachable.some(({ setting, isUnusable }) => setting === 'DATABASE_URL' || isUnusable)
  if (isFatal) throw new UnreachableServersError(unreachable)
  for (const { message } of unreachable) say(`${message} Jobs are accepted, and start when it is back.`)
}

async function untilDataFree<T>(start: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + DATA_WAIT_MS
  for (;;) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof DirectoryInUseError)) throw error
      if (performance.now() > deadline) throw new StartError(error.message, { cause: error })
      await sleep(DATA_POLL_INTERVAL_MS)
    }
  }
}

async function prepare(given: Settings, { databaseUrl, redisUrl }: KeptServers, origin: string): Promise<void> {
  const applied = await migrate(databaseUrl, { onWait: say })
  if (applied.length > 0) say(`applied ${applied.length} database migration${applied.length === 1 ? '' : 's'}`)
  if (!given.DATABASE_URL) await publishAddresses({ origin, databaseUrl, redisUrl })
}

async function chooseSecretKey({ DATABASE_URL, WEBHOOK_SECRET_KEY }: Settings): Promise<string> {
  if (WEBHOOK_SECRET_KEY) return WEBHOOK_SECRET_KEY
  const key = await keepSecretKey()
  if (DATABASE_URL) {
    say(
      `WEBHOOK_SECRET_KEY is not set: using the key in ${DATA_DIR}. If this key is lost, so are all webhook secrets in the database.`,
    )
  }
  return key
}

async function serve(
  given: Settings,
  { databaseUrl, redisUrl }: KeptServers,
  address: z.output<typeof OriginEnv>,
  stopped: AbortSignal,
): Promise<void> {
  const origin = localOrigin(address)
  const settings = {
    SHUTDOWN_GRACE_SECONDS: DEFAULT_GRACE_SECONDS,
    SERVICE_API_BASE: selectApiBase(given, origin),
    BLOB_STORE_URL: pathToFileURL(join(DATA_DIR, 'blobs')).href,
    WEBHOOK_SECRET_KEY: await chooseSecretKey(given),
    MAIL_DIR: join(DATA_DIR, 'mail'),
    ...given,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
  }
  const host = given.HOST ?? '127.0.0.1'
  const mcpPort = await selectMcpPort(given, host, say)
  say(
    `starting the API, a worker${mcpPort === null ? ' and the webhook sender' : ', the webhook sender and the MCP server'}`,
  )
  const service = await startService(settings, origin, { say, stopped, apps: mcpPort === null ? APPS : ALL_APPS })
  if (!stopped.aborted) {
    console.log(`ready ${origin}/api/v1`)
    if (given.DASHBOARD_ENABLED !== 'false') {
      say(`dashboard at ${publicBaseUrlOf(address)}/`)
      await sayFirstOwner(databaseUrl, publicBaseUrlOf(address))
    }
    if (mcpPort !== null) {
      say(`MCP server at ${given.MCP_PUBLIC_URL ?? `${localOrigin({ HOST: host, PORT: mcpPort })}/mcp`}`)
    }
    const advice = describeOpenHost(address)
    if (advice) say(advice)
    void reportPlatform(given, origin, say)
    await once(stopped, 'abort')
  }
  say('stopping')
  await service.stop(Number(settings.SHUTDOWN_GRACE_SECONDS) * 1_000 + HAND_BACK_MS)
}

/** Prints the link with which the first account is created, as long as nobody has signed in. */
async function sayFirstOwner(url: string, origin: string): Promise<void> {
  const db = openDb({ url, maxConnections: 1, onIdleError: () => {} })
  try {
    const link = await createFirstOwnerLink({ db, clock: () => new Date() })
    if (!link) return
    say('nobody has signed in yet: create the first account, that of an operator, within an hour at')
    say(firstOwnerUrl(origin, link))
  } catch (error) {
    say(`no link for the first owner: ${(error as Error).message}`)
  } finally {
    await db.close()
  }
}

const EXPECTED_ERRORS = [EnvError, StartError, MissingServersError, UnreachableServersError]

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const isExpected = EXPECTED_ERRORS.some((type) => error instanceof type)
    const explained = explainDataError(error, DATA_DIR)
    say(explained ?? (isExpected ? (error as Error).message : ((error as Error).stack ?? String(error))))
    process.exit(1)
  },
)
