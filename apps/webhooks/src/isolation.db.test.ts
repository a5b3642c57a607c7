import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/fakes'
import { TestDeliverers } from './testing/deliverer.ts'
import { type HOSTILITIES, type HostileReceiver, startHostileReceiver } from './testing/hostile-receivers.ts'

const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s', WEBHOOK_CONCURRENCY: '20' }
/** Attempts that hang do not end during a test: a delivery that waited for one of them would never arrive. */
const ENDLESS = { attemptTimeoutMs: 3_600_000 }
/** Attempts that hang end and are retried, so that hostile receivers are attempted again and again. */
const SHORT = { attemptTimeoutMs: 5_000 }
/**
 * With short attempts, deliveries that waited for all hostile ones before them would take 50 seconds. Without waiting, they
 * take less than one, and a few on a busy machine.
 */
const MAX_WAIT_MS = 25_000

let deliverers: TestDeliverers
let hostile: HostileReceiver[]
let healthy: WebhookReceiver[]

beforeAll(async () => {
  deliverers = await TestDeliverers.open()
})
beforeEach(() => {
  hostile = []
  healthy = []
})
afterEach(async () => {
  for (const receiver of hostile) receiver.close()
  await Promise.all(healthy.map((receiver) => receiver.close()))
  await deliverers.reset()
})
afterAll(() => deliverers.close())

const startHostile = async (kind: keyof typeof HOSTILITIES, count: number): Promise<void> => {
  hostile.push(...(await Promise.all(Array.from({ length: count }, () => startHostileReceiver(kind)))))
}
const startHealthy = async (count: number): Promise<WebhookReceiver[]> => {
  const started = await Promise.all(Array.from({ length: count }, () => startWebhookReceiver()))
  healthy.push(...started)
  return started
}

/**
 * Stores events for the receivers one after the other, `rounds` times, and waits until all have arrived. Returns the
 * milliseconds between each event and its arrival, sorted.
 */
async function deliverTo(receivers: WebhookReceiver[], rounds: number): Promise<number[]> {
  const stored = new Map<string, Date>()
  for (let round = 0; round < rounds; round++) {
    for (const { origin } of receivers) {
      const event = await deliverers.store(origin)
      stored.set(event.id, event.createdAt)
      await deliverers.notify(event.id)
    }
    await sleep(50)
  }
  const waits: number[] = []
  for (const receiver of receivers) {
    await receiver.waitFor(() => receiver.received.length >= rounds)
    for (const { headers, receivedAt } of receiver.received) {
      const since = stored.get(String(headers['x-webhook-id']))
      waits.push(receivedAt.getTime() - (since?.getTime() ?? Number.NaN))
    }
  }
  expect(waits).toHaveLength(rounds * receivers.length)
  return waits.sort((one, other) => one - other)
}

test('a receiver that hangs, with a hundred earlier events, delays no other receiver', async () => {
  await startHostile('hang', 1)
  const others = await startHealthy(9)
  for (const { origin } of hostile) {
    for (let count = 0; count < 100; count++) await deliverers.store(`${origin}/?${count}`)
  }
  deliverers.start(SETTINGS, ENDLESS)
  await deliverTo(others, 10)
  expect(hostile.map((receiver) => receiver.open().max)).toEqual([1])
})

test('a path that hangs does not delay the other paths of its host', async () => {
  const hangs = ({ url }: { url: string }) => url === '/hang'
  const [receiver] = await startHealthy(1)
  if (!receiver) throw new Error('The receiver was not started.')
  receiver.answer((webhook) => (hangs(webhook) ? { instead: 'hang' } : {}))
  await deliverers.store(`${receiver.origin}/hang`)
  deliverers.start(SETTINGS, ENDLESS)
  await receiver.waitFor(hangs)
  const fine = await Promise.all(Array.from({ length: 10 }, () => deliverers.store(`${receiver.origin}/fine`)))
  for (const { deliveryId } of fine) expect((await deliverers.settled(deliveryId)).status).toBe('delivered')
})

test('thirty hostile receivers that fill every slot delay no other receiver', async () => {
  await startHostile('hang', 10)
  await startHostile('drip', 10)
  await startHostile('endless', 10)
  const others = await startHealthy(5)
  for (const { origin } of hostile) for (let count = 0; count < 10; count++) await deliverers.store(origin)
  deliverers.start(SETTINGS, SHORT)
  const waits = await deliverTo(others, 20)
  expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(MAX_WAIT_MS)
})

test('receivers that were quick and then all hang delay no other receiver', async () => {
  const turning = await startHealthy(12)
  const others = await startHealthy(3)
  deliverers.start({ ...SETTINGS, WEBHOOK_CONCURRENCY: '10' }, ENDLESS)
  const first = await Promise.all(turning.map(({ origin }) => deliverers.store(origin)))
  await Promise.all(first.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  for (const receiver of turning) receiver.answer({ instead: 'hang' })
  for (const { origin } of turning) for (let count = 0; count < 5; count++) await deliverers.store(origin)
  await deliverTo(others, 10)
})

test('the limit of concurrent deliveries to a receiver applies to all deliverers together', async () => {
  let open = 0
  let max = 0
  deliverers.receiver.answer(() => {
    max = Math.max(max, ++open)
    setTimeout(() => open--, 20)
    return { delayMs: 30 }
  })
  const events = await Promise.all(Array.from({ length: 60 }, () => deliverers.store()))
  for (let count = 0; count < 3; count++) deliverers.start({ WEBHOOK_RECEIVER_CONCURRENCY: '4' })
  for (const { deliveryId } of events) await deliverers.settled(deliveryId)
  expect(max).toBeGreaterThan(1)
  expect(max).toBeLessThanOrEqual(4)
})

test('the size of all bodies in progress is limited, and a larger body is sent alone', async () => {
  const MEGABYTE = 1024 * 1024
  let open = 0
  let max = 0
  const receivers = await startHealthy(4)
  for (const receiver of receivers) {
    receiver.answer(({ body }) => {
      open += body.length
      max = Math.max(max, open)
      setTimeout(() => {
        open -= body.length
      }, 90)
      return { delayMs: 100 }
    })
  }
  const events = []
  for (const { origin } of receivers) events.push(await deliverers.store(origin, Buffer.alloc(3 * MEGABYTE, 'a')))
  events.push(await deliverers.store(receivers[0]?.origin, Buffer.alloc(7 * MEGABYTE, 'b')))
  deliverers.start({}, { maxBytes: 6.4 * MEGABYTE })
  for (const { deliveryId } of events) {
    expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered' })
  }
  expect(max).toBeLessThanOrEqual(7 * MEGABYTE)
})
