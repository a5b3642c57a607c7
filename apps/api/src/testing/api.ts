import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createTestDatabase } from '@subtext/db/testing'
import { testQueue } from '@subtext/queue/testing'
import type { Express } from 'express'
import { createApp } from '../app.ts'
import { createContext, type OpenApiContext } from '../context.ts'
import { ApiEnv } from '../env.ts'
import { checkEveryAnswer } from './contract.ts'

// Whoever opens the API in a test gets this: no file can forget it.
checkEveryAnswer()

export interface TestApi extends OpenApiContext {
  app: Express
  /** What a process of the same installation is started with. */
  settings: Record<string, string>
  createKey(terms?: Partial<Parameters<typeof createApiKey>[1]>): Promise<string>
  /** Another process of the same installation; to be closed before this one. */
  openBeside(env?: Record<string, string>, patience?: typeof PATIENCE): OpenApiContext & { app: Express }
}

/** Request limits that no test meets unawares. */
const UNLIMITED = Object.fromEntries(
  ['FREE', 'PLUS', 'PRO', 'ADMIN', 'ADDRESS'].map((who) => [`RATE_LIMIT_${who}`, '1000000']),
)

/** Other tests share the machine: a database that is slow is not away. */
const PATIENCE = { connectTimeoutMs: 30_000, queryTimeoutMs: 30_000 }

/** The API on a database and a queue of its own, without a worker. */
export async function openTestApi(env: Record<string, string> = {}, clock?: () => Date): Promise<TestApi> {
  const database = await createTestDatabase()
  const queue = testQueue()
  const settings = {
    ...{ DATABASE_URL: database.url, REDIS_URL: queue.url, QUEUE_PREFIX: queue.prefix, LOG_LEVEL: 'silent' },
    WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
    ...UNLIMITED,
    ...env,
  }
  const open = (changes: Record<string, string> = {}, patience = PATIENCE) => {
    const opened = createContext(ApiEnv.parse({ ...settings, ...changes }), { clock, patience })
    return { ...opened, app: createApp(opened.context) }
  }
  const opened = open()
  let keys = 0
  return {
    ...opened,
    openBeside: open,
    settings,
    createKey: (terms) =>
      createApiKey(opened.context, {
        email: `user${keys++}@example.org`,
        plan: 'pro',
        scopes: ['read', 'write'],
        ...terms,
      }),
    async close() {
      await opened.close()
      await database.drop()
    },
  }
}
