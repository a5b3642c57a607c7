import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Lane } from '@subtext/contracts'
import { waitUntil } from '@subtext/embedded/testing'
import { countTasks, testQueue } from '@subtext/queue/testing'
import { type Consumer, type ConsumerOptions, createConsumer } from './consumer.ts'
import type { LaneCapacity } from './lanes.ts'
import { createProducer, type Producer } from './producer.ts'

let queue: { url: string; prefix: string }
let producer: Producer
let consumers: Consumer[]
let errors: Error[]
let stages: { open: () => void }[]

beforeEach(async () => {
  queue = testQueue()
  consumers = []
  errors = []
  stages = []
  producer = createProducer(queue)
  await until(() => producer.isConnected())
})
afterEach(async () => {
  for (const stage of stages) stage.open()
  await Promise.all(consumers.map((consumer) => consumer.close()))
  await producer.close()
})

const until = (condition: () => boolean) => waitUntil(`${condition} ${errors}`, condition)
/** Waits until Redis holds no task, so that a job whose work has ended can be woken again. */
const untilNoTasks = () => waitUntil('no task is left', async () => (await countTasks(queue)) === 0)
/** Gives what must not happen time to happen. Nothing that must happen depends on it. */
const settle = () => sleep(200)

type Process = (...args: Parameters<ConsumerOptions['process']>) => Promise<unknown>

function consume(process: Process, overrides: Partial<ConsumerOptions> = {}): Consumer {
  const onError = (error: Error) => errors.push(error)
  const lanes: Lane[] = ['high', 'normal']
  const consumer = createConsumer({
    ...queue,
    lanes,
    concurrency: 4,
    deadAfterSeconds: 600,
    process: (...args) => process(...args).then(() => true),
    onError,
    ...overrides,
  })
  consumers.push(consumer)
  return consumer
}
const newJob = (lane: Lane = 'normal') => ({ id: randomUUID(), lane })
const jobs = (count: number, lane?: Lane) => Array.from({ length: count }, () => newJob(lane))

/** Work that lasts until it is released. */
function newStage() {
  const active = new Map<string, () => void>()
  const seen: string[] = []
  let isOpen = false
  const process = async (id: string): Promise<void> => {
    seen.push(id)
    if (isOpen) return
    await new Promise<void>((resolve) => active.set(id, resolve))
    active.delete(id)
  }
  const release = (ids: Iterable<string>) => {
    for (const id of ids) active.get(id)?.()
  }
  const open = () => {
    isOpen = true
    release(active.keys())
  }
  const count = (group: { id: string }[]) => group.filter(({ id }) => active.has(id)).length
  const stage = { active, seen, process, release, open, count }
  stages.push(stage)
  return stage
}

test('processes every job once, over several workers and lanes', async () => {
  const seen: string[] = []
  const process = async (id: string) => void seen.push(id)
  consume(process)
  consume(process)
  const all = [...jobs(30), ...jobs(30, 'high')]
  await producer.wakeJobs(all)
  await until(() => seen.length >= all.length)
  await settle()
  expect(seen.sort()).toEqual(all.map(({ id }) => id).sort())
})

test('processes a held job again that is woken before its task has ended, whatever its task does until then', async () => {
  const stage = newStage()
  const seen: string[] = []
  consume((id) => {
    seen.push(id)
    return seen.length === 1 ? stage.process(id) : Promise.resolve()
  })
  const job = newJob()
  await producer.wakeJobs([job])
  await until(() => seen.length === 1)
  for (const expected of [2, 3]) {
    await producer.wakeJobs([job], { again: true })
    await until(() => seen.length === expected)
  }
  expect(new Set(seen)).toEqual(new Set([job.id]))
  expect(stage.active.size).toBe(1)
  expect(errors).toEqual([])
})

test('processes a job once when it is woken several times while waiting, and again when woken after its end', async () => {
  const job = newJob()
  for (let time = 0; time < 3; time++) await producer.wakeJobs([job, job])
  const seen: string[] = []
  consume(async (id) => void seen.push(id))
  await until(() => seen.length > 0)
  await untilNoTasks()
  expect(seen).toHaveLength(1)
  await producer.wakeJobs([job])
  await until(() => seen.length > 1)
  await untilNoTasks()
  expect(seen).toHaveLength(2)
})

test('takes jobs only from the lanes it serves', async () => {
  const seen: string[] = []
  consume(async (id) => void seen.push(id), { lanes: ['high'] })
  const [normal, high] = [jobs(1), jobs(1, 'high')]
  await producer.wakeJobs([...normal, ...high])
  await until(() => seen.length > 0)
  await settle()
  expect(seen).toEqual([high[0]?.id])
})

test('starts high jobs at once although normal jobs occupy the idle slots', async () => {
  const stage = newStage()
  consume(stage.process)
  const [normal, high] = [jobs(12), jobs(3, 'high')]
  await producer.wakeJobs(normal)
  await until(() => stage.count(normal) === 4)
  await settle()
  expect(stage.count(normal)).toBe(4)

  await producer.wakeJobs(high)
  await until(() => stage.count(high) === 3)
  stage.release(normal.map(({ id }) => id))
  await until(() => stage.seen.length === 8)
  await settle()
  // While the high lane is busy, the normal lane keeps only its own slot.
  expect([stage.count(high), stage.count(normal)]).toEqual([3, 1])

  stage.release(high.map(({ id }) => id))
  await until(() => stage.count(high) === 0)
  // Idle slots are lent again, even though no normal job ends.
  await until(() => stage.count(normal) === 4)
  stage.open()
  await until(() => stage.seen.length === 15)
})

test('reports the capacity of each lane, also to the running work', async () => {
  const stage = newStage()
  const capacities: LaneCapacity[] = []
  const consumer = consume(
    (id, capacity) => {
      capacities.push(capacity)
      return stage.process(id)
    },
    { concurrency: 8 },
  )
  expect(consumer.capacities()).toEqual([
    ['high', { slots: 6, free: 6, reserve: 1 }],
    ['normal', { slots: 8, free: 8, reserve: 1 }],
  ])
  const [normal, high] = [jobs(3), jobs(2, 'high')]
  await producer.wakeJobs(high)
  await until(() => stage.count(high) === 2)
  await producer.wakeJobs(normal)
  await until(() => stage.count(normal) === 3)
  expect(capacities).toEqual([
    { slots: 6, free: 5, reserve: 1 },
    { slots: 6, free: 4, reserve: 1 },
    { slots: 6, free: 5, reserve: 1 },
    { slots: 6, free: 4, reserve: 1 },
    { slots: 6, free: 3, reserve: 1 },
  ])
  stage.open()
  await until(() => consumer.capacities().every(([, { slots, free }]) => slots === free))
})

test('continues after work that throws, whose job can be woken again', async () => {
  const seen: string[] = []
  consume(async (id) => {
    seen.push(id)
    throw new Error(`no ${id}`)
  })
  const all = jobs(6)
  await producer.wakeJobs(all)
  await until(() => seen.length === 6)
  await untilNoTasks()
  await producer.wakeJobs(all.slice(0, 1))
  await until(() => seen.length === 7)
  expect(seen.at(-1)).toBe(all[0]?.id)
})

test('takes no further task once paused, and lets running ones continue', async () => {
  const stage = newStage()
  const consumer = consume(stage.process, { concurrency: 1, lanes: ['normal'] })
  const all = jobs(3)
  await producer.wakeJobs(all)
  await until(() => stage.active.size === 1)
  await consumer.pause()
  stage.open()
  await settle()
  expect(stage.seen).toHaveLength(1)
})

test('waits for running work when closing, and leaves the rest to another worker', async () => {
  const stage = newStage()
  const consumer = consume(stage.process, { concurrency: 1, lanes: ['normal'] })
  await producer.wakeJobs(jobs(3))
  await until(() => stage.active.size === 1)
  await consumer.pause()
  let closed = false
  const closing = consumer.close().then(() => {
    closed = true
  })
  await settle()
  expect(closed).toBe(false)
  stage.open()
  await closing
  expect(stage.seen).toHaveLength(1)
  consume(stage.process)
  await until(() => stage.seen.length === 3)
})

test('separates installations that share a server by their prefix', async () => {
  const seen: string[] = []
  consume(async (id) => void seen.push(id), { prefix: testQueue().prefix })
  await producer.wakeJobs(jobs(1))
  await settle()
  expect(seen).toEqual([])
})
