import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { storeJob } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { openTcpLink, type TcpLink, waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { WorkerEnv } from './env.ts'
import { type RunningWorker, startWorker } from './worker.ts'

const database = useTestDatabase()
/** Only one worker at a time, because each takes any job of the database. */
let worker: RunningWorker | undefined
const links: TcpLink[] = []
/** Accepts requests, and answers none. */
let platform: Server
beforeAll(async () => {
  platform = createServer(() => {}).listen(0, '127.0.0.1')
  await once(platform, 'listening')
})
afterAll(() => {
  platform.closeAllConnections()
  platform.close()
})
afterEach(async () => {
  try {
    await worker?.stop()
  } finally {
    worker = undefined
    for (const link of links.splice(0)) await link.close()
  }
})

async function openLink(target: string): Promise<TcpLink> {
  const link = await openTcpLink(target)
  links.push(link)
  return link
}

function start(settings: Record<string, string>, options?: Parameters<typeof startWorker>[1]): RunningWorker {
  worker = startWorker(WorkerEnv.parse({ LOG_LEVEL: 'silent', ...settings }), options)
  return worker
}

test('a worker that cannot reach PostgreSQL is alive, not ready, and ready again afterwards', async () => {
  const { url, prefix } = testQueue()
  const link = await openLink(database.url)
  const { health } = start({ DATABASE_URL: link.url, REDIS_URL: url, QUEUE_PREFIX: prefix })
  const untilReady = () => waitUntil('the worker is ready', async () => (await health.ready()).ok)
  await untilReady()
  link.cut()
  await waitUntil('the worker is not ready', async () => !(await health.ready()).ok)
  expect(await health.ready()).toEqual({ ok: false, body: { status: 'unavailable', away: ['postgres'] } })
  expect(health.live()).toEqual({ ok: true, body: { status: 'ok' } })
  link.heal()
  await untilReady()
})

test('a worker stops although neither PostgreSQL nor Redis responds', async () => {
  const { url, prefix } = testQueue()
  const silenced = start(
    {
      DATABASE_URL: (await openLink(database.url)).url,
      REDIS_URL: (await openLink(url)).url,
      QUEUE_PREFIX: prefix,
      SHUTDOWN_GRACE_SECONDS: '1',
      YOUTUBE_ORIGIN: `http://127.0.0.1:${(platform.address() as AddressInfo).port}`,
    },
    { queryTimeoutMs: 3_600_000 },
  )
  const { id } = await storeJob(database.db, {}, -5)
  await waitUntil('the job is running', async () => {
    const { step } = await database.db.prisma.job.findUniqueOrThrow({ where: { id } })
    return step === 'fetching_video'
  })
  for (const link of links) link.silence()
  await silenced.stop()
})
