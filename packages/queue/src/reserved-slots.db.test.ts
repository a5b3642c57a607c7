import { randomUUID } from 'node:crypto'
import { waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { type Consumer, type ConsumerOptions, createConsumer } from './consumer.ts'
import { createProducer, type Producer } from './producer.ts'

let queue: { url: string; prefix: string }
let producer: Producer
let consumer: Consumer | undefined
/** What ends the running jobs, by their IDs. */
let running: Map<string, () => void>
/** The jobs of these IDs run until they are ended. There is nothing to do for any other task. */
let long: string[]

/** Longer than a free slot needs to take its next task, even on a busy machine. */
const REST_MS = 1_000

const newIds = (count: number) => Array.from({ length: count }, () => randomUUID())
const wake = (ids: string[]) => producer.wakeJobs(ids.map((id) => ({ id, lane: 'normal' })))

/** Starts a consumer with four slots, of which one is reserved. `look` is called for each task for which there is nothing to do. */
function consume(look: (id: string, free: number) => Promise<void>): void {
  const process: ConsumerOptions['process'] = async (id, { free }) => {
    if (long.includes(id)) {
      await new Promise<void>((resolve) => running.set(id, resolve))
      return true
    }
    await look(id, free)
    return false
  }
  consumer = createConsumer({
    ...queue,
    lanes: ['normal'],
    concurrency: 4,
    deadAfterSeconds: 600,
    process,
    onError: () => {},
    restMs: REST_MS,
  })
}

beforeEach(async () => {
  queue = testQueue()
  running = new Map()
  long = newIds(5)
  producer = createProducer(queue)
  await waitUntil('Redis is connected', producer.isConnected)
})
afterEach(async () => {
  for (const end of running.values()) end()
  await consumer?.close()
  await producer.close()
})

test('a reserved slot with nothing to do waits if a job has just ended, and counts as free until then', async () => {
  const taken: { free: number; from: number; to: number }[] = []
  consume(async (_, free) => {
    const from = performance.now()
    const nth = taken.length
    // The job that takes the place of the ended one is the next in the queue.
    running.get(long[nth] ?? '')?.()
    await waitUntil('the next job runs', () => running.has(long[nth + 3] ?? ''))
    taken.push({ free, from, to: performance.now() })
  })
  await wake(long.slice(0, 3))
  await waitUntil('three jobs run', () => running.size === 3)
  await wake(long.slice(3).flatMap((id) => [randomUUID(), id]))
  await waitUntil('all tasks are taken', () => taken.length === 2)
  expect(taken.map(({ free }) => free)).toEqual([0, 0])
  const [first, second] = taken
  // Timers may fire a millisecond early.
  expect((second?.from ?? 0) - (first?.to ?? 0)).toBeGreaterThan(REST_MS - 5)
})

test('a reserved slot with nothing to do takes its next task at once if no job has just ended', async () => {
  const idle = newIds(50)
  const seen: string[] = []
  consume(async (id) => void seen.push(id))
  await wake(long.slice(0, 3))
  await waitUntil('three jobs run', () => running.size === 3)
  const start = performance.now()
  await wake(idle)
  await waitUntil('all tasks are taken', () => seen.length === idle.length)
  // No job has ended. Waiting after each of them would take 50 s.
  expect(performance.now() - start).toBeLessThan(50 * REST_MS)
})
