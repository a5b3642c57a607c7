import { PLAN_NAMES } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createTestDatabase } from '@subtext/db/testing'
import { testQueue } from '@subtext/queue/testing'
import type { Express } from 'express'
import { createApp } from '../app.ts'
import { createContext, type OpenApiContext } from '../context.ts'
import { ApiEnv } from '../env.ts'
import { checkEveryResponse } from './contract.ts'

// Called here so that no test file that opens the API can forget it.
checkEveryResponse()

export interface TestApi extends OpenApiContext {
  app: Express
  /** The environment of a process of the same installation. */
  settings: Record<string, string>
  /** Creates a key; by default of a new user on the pro plan, with the scopes `read` and `write`. */
  createKey(options?: Partial<Parameters<typeof createApiKey>[1]>): Promise<string>
  /** Opens another process of the same installation. Close it before this one. */
  openBeside(env?: Record<string, string>, databaseTimeouts?: typeof TIMEOUTS): OpenApiContext & { app: Express }
}

/** Request limits that no test reaches by accident. */
const UNLIMITED = Object.fromEntries(
  [...PLAN_NAMES, 'admin', 'address'].map((caller) => [`RATE_LIMIT_${caller.toUpperCase()}`, '1000000']),
)

/** Long enough that a database on a busy machine never counts as unavailable. */
const TIMEOUTS = { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 }

/** Opens the API on its own database and queue, without a worker. */
export async function openTestApi(env: Record<string, string> = {}, clock?: () => Date): Promise<TestApi> {
  const database = await createTestDatabase()
  const queue = testQueue()
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: queue.url,
    QUEUE_PREFIX: queue.prefix,
    LOG_LEVEL: 'silent',
    WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
    ...UNLIMITED,
    ...env,
  }
  const open = (changes: Record<string, string> = {}, databaseTimeouts = TIMEOUTS) => {
    const opened = createContext(ApiEnv.parse({ ...settings, ...changes }), { clock, databaseTimeouts })
    return { ...opened, app: createApp(opened.context) }
  }
  const opened = open()
  let keys = 0
  return {
    ...opened,
    openBeside: open,
    settings,
    createKey: (options) =>
      createApiKey(opened.context, {
        email: `user${keys++}@example.org`,
        plan: 'pro',
        scopes: ['read', 'write'],
        ...options,
      }),
    async close() {
      await opened.close()
      await database.drop()
    },
  }
}
