import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@subtext/embedded/testing'
import { testQueue } from '@subtext/queue/testing'
import { createNotifier, type Notification, type Notifier } from './notifier.ts'
import { createProducer } from './producer.ts'

const UNAVAILABLE = { url: 'redis://127.0.0.1:1', prefix: 'none' }
const open: Notifier[] = []
const openNotifier = (...options: Parameters<typeof createNotifier>): Notifier => {
  const notifier = createNotifier(...options)
  open.push(notifier)
  return notifier
}
afterAll(() => Promise.all(open.map((notifier) => notifier.close())))

/** Publishes until a listener has been called, since a subscription takes a moment to begin. */
async function publishUntil(notifier: Notifier, kind: Notification, id: string, heard: () => boolean) {
  await waitUntil('a listener is called', async () => {
    if (heard()) return true
    await notifier.publish(kind, id).catch(() => {})
    return false
  })
}

describe('createNotifier', () => {
  test('notifies every process that subscribed to the kind, within one installation', async () => {
    const queue = testQueue()
    const heard: string[] = []
    const subscriber = openNotifier(queue, ['job', 'delivery'])
    subscriber.subscribe('job', (id) => heard.push(`job ${id}`))
    openNotifier(queue, ['job']).subscribe('job', (id) => heard.push(`other job ${id}`))
    subscriber.subscribe('delivery', (id) => heard.push(`delivery ${id}`))
    openNotifier(testQueue(), ['job']).subscribe('job', (id) => heard.push(`foreign ${id}`))
    const id = randomUUID()
    const both = () => heard.includes(`job ${id}`) && heard.includes(`other job ${id}`)
    await publishUntil(openNotifier(queue), 'job', id, both)
    await sleep(50)
    expect(new Set(heard)).toEqual(new Set([`job ${id}`, `other job ${id}`]))
  })

  test('stops notifying a listener whose subscription ended', async () => {
    const queue = testQueue()
    const heard = { one: 0, other: 0 }
    const subscriber = openNotifier(queue, ['job'])
    const stop = subscriber.subscribe('job', () => heard.one++)
    subscriber.subscribe('job', () => heard.other++)
    const publisher = openNotifier(queue)
    await publishUntil(publisher, 'job', 'x', () => heard.one > 0)
    stop()
    const before = heard.one
    const others = heard.other
    await publishUntil(publisher, 'job', 'y', () => heard.other > others)
    expect(heard.one).toBe(before)
  })

  test('throws on a subscription to a kind that the notifier was not created with', () => {
    expect(() => openNotifier(testQueue(), ['job']).subscribe('delivery', () => {})).toThrow('delivery')
    expect(() => openNotifier(testQueue()).subscribe('job', () => {})).toThrow('job')
  })

  test('rejects without waiting while Redis is unavailable', async () => {
    // The connection itself would retry indefinitely.
    await expect(openNotifier(UNAVAILABLE, ['job']).publish('job', 'x')).rejects.toThrow()
  })
})

describe('createProducer', () => {
  test('rejects every call without waiting while Redis is unavailable, and can be closed', async () => {
    const changes: string[] = []
    const producer = createProducer({ ...UNAVAILABLE, onConnectionChange: (state) => changes.push(state) })
    const job = { id: randomUUID(), lane: 'high' as const }
    for (let time = 0; time < 20; time++)
      await expect(producer.wakeJobs([job])).rejects.toThrow('Redis is unavailable.')
    await waitUntil('the lost connection is reported', () => changes.length > 0)
    await sleep(300)
    expect(producer.isConnected()).toBe(false)
    expect(changes).toEqual(['lost'])
    await producer.close()
  })

  test.each([
    ['reachable', () => testQueue(), ['fulfilled', 'fulfilled']],
    ['unavailable', () => UNAVAILABLE, ['rejected', 'rejected']],
  ])('waits for the first attempt to connect before it says that Redis is %s', async (_, options, expected) => {
    const [producer, notifier] = [createProducer(options()), openNotifier(options())]
    expect(producer.isConnected()).toBe(false)
    const checked = await Promise.allSettled([producer.checkConnection(), notifier.checkConnection()])
    expect(checked.map(({ status }) => status)).toEqual(expected)
    await producer.close()
  })

  test('accepts an empty list of jobs', async () => {
    const producer = createProducer(testQueue())
    await waitUntil('the producer is connected', () => producer.isConnected())
    await producer.wakeJobs([])
    await producer.close()
  })
})
