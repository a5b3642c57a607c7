import { useTestDatabase } from '@subtext/db/testing'
import { openTcpLink, type TcpLink, waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { WorkerEnv } from './env.ts'
import { type RunningWorker, startWorker } from './worker.ts'

const database = useTestDatabase()
let link: TcpLink
let worker: RunningWorker
beforeAll(async () => {
  const { url, prefix } = testQueue()
  link = await openTcpLink(database.url)
  worker = startWorker(
    WorkerEnv.parse({ DATABASE_URL: link.url, REDIS_URL: url, QUEUE_PREFIX: prefix, LOG_LEVEL: 'silent' }),
  )
})
afterAll(async () => {
  await worker.stop()
  await link.close()
})

const untilReady = () => waitUntil('the worker is ready', async () => (await worker.health.ready()).ok)

test('a worker that cannot reach PostgreSQL is alive, not ready, and ready again afterwards', async () => {
  await untilReady()
  link.cut()
  expect(await worker.health.ready()).toEqual({ ok: false, body: { status: 'unavailable', away: ['postgres'] } })
  expect(worker.health.live()).toEqual({ ok: true, body: { status: 'ok' } })
  link.heal()
  await untilReady()
})
