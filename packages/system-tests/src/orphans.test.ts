import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEST_SECRET_KEY } from '@subtext/core/testing'
import { findSteadyPort } from '@subtext/embedded/testing'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
/** Nothing listens there: an app must also exit while everything it needs is unavailable. */
const SETTINGS = {
  DATABASE_URL: 'postgresql://127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  LOG_LEVEL: 'silent',
  WEBHOOK_SECRET_KEY: TEST_SECRET_KEY,
  SHUTDOWN_GRACE_SECONDS: '1',
}

/** Only an app that fails the test lives this long. */
const MAX_LIFE_MS = 240_000

test.each(['api', 'worker', 'webhooks'])(
  'the %s app exits by itself when its supervisor is gone before it has started',
  async (app) => {
    const child = spawn(process.execPath, [`dist/${app}/main.js`], {
      cwd: ROOT,
      env: { ...SETTINGS, PORT: String(await findSteadyPort()) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const ended = once(child, 'exit')
    const guard = setTimeout(() => child.kill('SIGKILL'), MAX_LIFE_MS)
    child.disconnect()
    expect(await ended).toEqual([0, null])
    clearTimeout(guard)
  },
)
