import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
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
  await waitUntil('the worker is not ready', async () => !(await worker.health.ready()).ok)
  expect(await worker.health.ready()).toEqual({ ok: false, body: { status: 'unavailable', away: ['postgres'] } })
  expect(worker.health.live()).toEqual({ ok: true, body: { status: 'ok' } })
  link.heal()
  await untilReady()
})

test('a worker stops although neither PostgreSQL nor Redis responds', async () => {
  const { url, prefix } = testQueue()
  const links = [await openTcpLink(database.url), await openTcpLink(url)] as const
  const platform = createServer(() => {}).listen(0, '127.0.0.1')
  await once(platform, 'listening')
  const silenced = startWorker(
    WorkerEnv.parse({
      DATABASE_URL: links[0].url,
      REDIS_URL: links[1].url,
      QUEUE_PREFIX: prefix,
      LOG_LEVEL: 'silent',
      SHUTDOWN_GRACE_SECONDS: '1',
      YOUTUBE_ORIGIN: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
    }),
    { queryTimeoutMs: 3_600_000 },
  )
  const { id } = await storeJob(database.db, {}, -5)
  await waitUntil('the job is running', async () => {
    const { step } = await database.db.prisma.job.findUniqueOrThrow({ where: { id } })
    return step === 'fetching_video'
  })
  for (const link of links) link.silence()
  await silenced.stop()
  platform.closeAllConnections()
  platform.close()
  for (const link of links) await link.close()
})
