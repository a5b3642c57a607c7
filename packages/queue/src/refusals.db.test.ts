import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedServer, findRedisServer, startRedis } from '@subtext/embedded'
import { waitUntil } from '@subtext/embedded/testing'
import { Redis } from 'ioredis'
import { type Consumer, createConsumer } from './consumer.ts'
import { createNotifier } from './notifier.ts'
import { createProducer, type Producer } from './producer.ts'
import { createRequestLimits } from './request-limits.ts'

const describeWithRedis = findRedisServer() ? describe : describe.skip

describeWithRedis('while Redis refuses commands (needs redis-server)', () => {
  let dataDir: string
  let server: EmbeddedServer
  let admin: Redis
  let producer: Producer
  let consumer: Consumer
  let states: string[]
  let errors: string[]
  let done: string[]
  const queue = () => ({ url: server.url, prefix: 'refused' })

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'subtext-refusing-'))
    server = await startRedis({ dataDir, durable: false, implementation: 'native' })
    admin = new Redis(server.url)
    states = []
    errors = []
    done = []
    producer = createProducer(queue())
    consumer = createConsumer({
      ...queue(),
      lanes: ['high', 'normal'],
      concurrency: 2,
      deadAfterSeconds: 600,
      process: async (id) => done.push(id) > 0,
      onError: (error) => errors.push(error.message),
      onRefusal: (state, error) => states.push(error ? `${state}: ${error.message.split(' ', 1)}` : state),
    })
    await waitUntil('Redis is connected', producer.isConnected)
  })
  afterEach(async () => {
    await consumer.close()
    await producer.close()
    admin.disconnect()
    await server.stop()
    await rm(dataDir, { recursive: true })
  })

  /** The number of times that Redis has refused a command. */
  const countRefusals = async (): Promise<number> =>
    [...(await admin.info('errorstats')).matchAll(/errorstat_(?:OOM|READONLY):count=(\d+)/g)]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0)
  const wake = async (): Promise<string> => {
    const id = randomUUID()
    await producer.wakeJobs([{ id, lane: 'normal' }])
    return id
  }

  test.each([
    ['no memory', /OOM/, ['maxmemory', '1'], ['maxmemory', '0']],
    ['a replica', /READONLY|UNBLOCKED/, ['replicaof', '127.0.0.1 1'], ['replicaof', 'no one']],
  ])(
    'a consumer that meets %s pauses, says so once, and continues when Redis serves again',
    async (_, code, refuse, serve) => {
      const set = ([name = '', value = '']: string[]) =>
        name === 'replicaof' ? admin.call(name, ...value.split(' ')) : admin.config('SET', name, value)
      await wake()
      await waitUntil('the first task is done', () => done.length === 1)
      await set(refuse)
      await waitUntil('the consumer has met the refusal', () => states.length > 0, 60_000)
      expect(consumer.isRefused()).toBe(true)
      const startedAt = performance.now()
      const before = await countRefusals()
      await waitUntil('it has tried again several times', async () => (await countRefusals()) >= before + 3, 60_000)
      // One probe a second. A consumer that does not pause is refused thousands of times a second.
      expect(performance.now() - startedAt).toBeGreaterThan(1_500)
      expect(states).toEqual([expect.stringMatching(code)])
      await set(serve)
      await waitUntil('the consumer continues', () => states.length > 1)
      expect(states).toEqual([expect.stringMatching(code), 'serving'])
      await waitUntil('a task is added', () =>
        wake().then(
          () => true,
          () => false,
        ),
      )
      await waitUntil('a task is done', () => done.length > 1)
      expect(consumer.isRefused()).toBe(false)
      expect(errors).toEqual([])
    },
  )

  test('the check of the producer fails while Redis refuses writes or hangs, and that of a notifier while it hangs', async () => {
    const notifier = createNotifier({ ...queue(), timeoutMs: 500 })
    const impatient = createProducer({ ...queue(), timeoutMs: 500 })
    const check = async () =>
      (await Promise.allSettled([impatient.checkConnection(), notifier.checkConnection()])).map(({ status }) => status)
    expect(await check()).toEqual(['fulfilled', 'fulfilled'])
    await admin.config('SET', 'maxmemory', '1')
    expect(await check()).toEqual(['rejected', 'fulfilled'])
    await admin.config('SET', 'maxmemory', '0')
    server.kill('SIGSTOP')
    try {
      expect(await check()).toEqual(['rejected', 'rejected'])
    } finally {
      server.kill('SIGCONT')
    }
    await waitUntil('both are connected again', async () => !(await check()).includes('rejected'))
    await Promise.all([impatient.close(), notifier.close()])
  })

  test('request limits are suspended once, and held again when Redis serves again', async () => {
    const changes: string[] = []
    const limits = createRequestLimits({ ...queue(), onChange: (state) => changes.push(state) })
    await limits.count('key', 10)
    await admin.config('SET', 'maxmemory', '1')
    await limits.count('key', 10)
    const before = await countRefusals()
    await waitUntil('it has tried again several times', async () => (await countRefusals()) >= before + 4)
    await limits.count('key', 10)
    expect(changes).toEqual(['suspended'])
    await admin.config('SET', 'maxmemory', '0')
    await waitUntil('the limits are held', () => changes.length > 1)
    expect(changes).toEqual(['suspended', 'held'])
    await limits.close()
  })
})
