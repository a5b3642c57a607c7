import { randomUUID } from 'node:crypto'
import { testQueue } from '@subtext/queue/testing'
import { Queue } from 'bullmq'
import { createTaskAdder } from './add-tasks.ts'
import { connectRedis } from './connection.ts'

const connection = connectRedis(testQueue())
const opened: Queue[] = []
afterAll(async () => {
  await Promise.all(opened.map((queue) => queue.close()))
  connection.disconnect()
})

async function openQueue(): Promise<Queue> {
  const queue = new Queue('jobs', {
    connection,
    prefix: testQueue().prefix,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  opened.push(queue)
  await queue.waitUntilReady()
  return queue
}

const HOUR_MS = 3_600_000

/** Returns what Redis stores for a queue and workers read. */
async function contentOf(queue: Queue) {
  const prefix = queue.toKey('')
  const keys = await connection.keys(`${prefix}*`)
  const read = async (key: string): Promise<unknown> => {
    const type = await connection.type(key)
    if (type === 'list') return connection.lrange(key, 0, -1)
    if (type === 'zset') return connection.zrange(key, 0, '-1', 'WITHSCORES')
    const { timestamp, opts = '{}', ...fields } = await connection.hgetall(key)
    const { jobId: _, ...options } = JSON.parse(opts)
    return { ...fields, options, isNew: Date.now() - Number(timestamp) < HOUR_MS }
  }
  const names = keys.map((key) => key.slice(prefix.length)).filter((name) => !['events', 'id', 'meta'].includes(name))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(prefix + name)])))
}

const newIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID())

test('stores tasks as BullMQ does', async () => {
  const [theirs, ours] = [await openQueue(), await openQueue()]
  const ids = newIds(3)
  await theirs.addBulk(ids.map((jobId) => ({ name: 'process', data: {}, opts: { jobId } })))
  await createTaskAdder(connection)(ours, ids)
  const content = await contentOf(ours)
  expect(content).toEqual(await contentOf(theirs))
  expect(Object.keys(content).sort()).toEqual([...ids, 'marker', 'wait'].sort())
})

test('leaves a task that exists as it is, and adds the others', async () => {
  const queue = await openQueue()
  const add = createTaskAdder(connection)
  const [first = '', second = ''] = newIds(2)
  await add(queue, [first])
  await connection.del(queue.toKey('marker'))
  await add(queue, [first])
  expect(await contentOf(queue)).not.toHaveProperty('marker')
  await add(queue, [first, second, second])
  expect(await contentOf(queue)).toMatchObject({ wait: [second, first], marker: ['0', '0'] })
})

test('adds any number of tasks, in order', async () => {
  const queue = await openQueue()
  const ids = newIds(1_100)
  await createTaskAdder(connection)(queue, ids)
  expect(await connection.lrange(queue.toKey('wait'), 0, -1)).toEqual(ids.toReversed())
})
