import { TEST_PASSWORDS } from '@subtext/accounts/testing'
import { PLAN_NAMES } from '@subtext/contracts'
import { createApiKey } from '@subtext/core/api-keys'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { createTestDatabase } from '@subtext/db/testing'
import { testQueue } from '@subtext/queue/testing'
import type { Express } from 'express'
import { createApp } from '../app.ts'
import { createContext, type OpenApiContext } from '../context.ts'
import { ApiEnv } from '../env.ts'
import { type ListenOptions, listen, type RunningServer } from '../server.ts'
import { checkEveryResponse } from './contract.ts'
import './to-be-refused.ts'

type Environment = Record<string, string>

export interface ApiProcess extends OpenApiContext {
  app: Express
}

export interface TestApi extends Omit<ApiProcess, 'close'> {
  /** The environment of a process of the same installation. */
  settings: Environment
  /** Creates a key; by default of a new user on the pro plan, with the scopes `read` and `write`. */
  createKey(options?: Partial<Parameters<typeof createApiKey>[1]>): Promise<string>
  /** Opens another process of the same installation. It is closed after the last test, if it is still open. */
  openBeside(env?: Environment): ApiProcess
  /** Runs `work` with another process that has other settings. */
  withEnv(env: Environment, work: (app: Express) => Promise<void>): Promise<void>
  /**
   * Serves an app, by default that of the first process, on a new port until the last test has ended. By default, it waits a
   * minute for the headers of a request.
   */
  serve(app?: Express, options?: ListenOptions): Promise<RunningServer>
  /** Registers what has to end before the API closes. The last one registered ends first. */
  onClose(end: () => unknown): void
}

/** Request limits that no test reaches by accident. */
const UNLIMITED = Object.fromEntries(
  [...PLAN_NAMES, 'admin', 'address'].map((caller) => [`RATE_LIMIT_${caller.toUpperCase()}`, '1000000']),
)

/** A client in the same process may be that slow on a busy machine. */
const PATIENT: ListenOptions = { limits: { headersTimeout: 60_000, requestTimeout: 120_000 } }

/**
 * Registers hooks that open the API on its own database and queue, without a worker, and close it after the last test. Also
 * fails every test in which a response differs from the OpenAPI document. What it returns can be used in later hooks and in
 * tests; use `onClose` instead of `afterAll` for what depends on it.
 */
export function useTestApi(env: Environment = {}, clock?: () => Date): TestApi {
  let opened: Awaited<ReturnType<typeof openTestApi>> | undefined
  const current = () => {
    if (!opened) throw new Error('The test API is available only in hooks and tests.')
    return opened
  }
  beforeAll(async () => {
    opened = await openTestApi(env, clock)
  })
  checkEveryResponse()
  afterAll(() => opened?.close())
  return {
    get context() {
      return current().context
    },
    get app() {
      return current().app
    },
    get settings() {
      return current().settings
    },
    sendEmails: () => current().sendEmails(),
    drain: () => current().drain(),
    createKey: (options) => current().createKey(options),
    openBeside: (changes) => current().openBeside(changes),
    withEnv: (changes, work) => current().withEnv(changes, work),
    serve: (app, options) => current().serve(app, options),
    onClose: (end) => current().onClose(end),
  }
}

async function openTestApi(env: Environment, clock?: () => Date): Promise<TestApi & { close(): Promise<void> }> {
  const database = await createTestDatabase()
  const queue = testQueue()
  const settings = {
    DATABASE_URL: database.url,
    REDIS_URL: queue.url,
    QUEUE_PREFIX: queue.prefix,
    LOG_LEVEL: 'silent',
    WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
    // A port to which no request is sent: tests ask nobody on the Internet.
    YOUTUBE_ORIGIN: 'http://127.0.0.1:1',
    ...UNLIMITED,
    // The maximum: a database on a busy machine must not count as unavailable.
    DATABASE_TIMEOUT_SECONDS: '60',
    ...env,
  }
  const ends: (() => unknown)[] = [() => database.drop()]
  const onClose = (end: () => unknown): void => void ends.unshift(end)
  let isSending = false
  const openBeside = (changes: Environment = {}): ApiProcess => {
    const opened = createContext(ApiEnv.parse({ ...settings, ...changes }), {
      clock,
      redisTimeoutMs: queue.timeoutMs,
      imageHostTimeoutMs: 60_000,
      passwords: TEST_PASSWORDS,
    })
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => {
      closing ??= opened.close()
      return closing
    }
    onClose(close)
    // Otherwise the first process would find the emails of this one only when it looks for them, seconds later.
    if (isSending) opened.sendEmails()
    return { ...opened, app: createApp(opened.context), close }
  }
  const { context, app, sendEmails, drain } = openBeside()
  let keys = 0
  return {
    context,
    app,
    sendEmails() {
      isSending = true
      sendEmails()
    },
    drain,
    settings,
    openBeside,
    onClose,
    async withEnv(changes, work) {
      const beside = openBeside(changes)
      try {
        await work(beside.app)
      } finally {
        await beside.close()
      }
    },
    async serve(served = app, options = PATIENT) {
      const server = await listen(served, 0, '127.0.0.1', options)
      onClose(() => server.drain(0))
      return server
    },
    createKey: (options) =>
      createApiKey(context, {
        email: `user${keys++}@example.org`,
        plan: 'pro',
        scopes: ['read', 'write'],
        ...options,
      }),
    async close() {
      for (const end of ends) await end()
    },
  }
}
