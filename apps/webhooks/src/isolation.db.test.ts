import { waitUntil } from '@subtext/embedded/testing'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/fakes'
import { TestDeliverers } from './testing/deliverer.ts'
import { type HOSTILITIES, type HostileReceiver, startHostileReceiver } from './testing/hostile-receivers.ts'

const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s', WEBHOOK_CONCURRENCY: '20' }
/** Attempts that hang do not end during a test: a delivery that waited for one of them would never arrive. */
const ENDLESS = { attemptTimeoutMs: 1_800_000 }

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

const startHostile = async (kind: keyof typeof HOSTILITIES, count: number): Promise<HostileReceiver[]> => {
  const started = await Promise.all(Array.from({ length: count }, () => startHostileReceiver(kind)))
  hostile.push(...started)
  return started
}
const startHealthy = async (count: number): Promise<WebhookReceiver[]> => {
  const started = await Promise.all(Array.from({ length: count }, () => startWebhookReceiver()))
  healthy.push(...started)
  return started
}

/** Stores events for the receivers one after the other, `rounds` times, and waits until each has arrived once. */
async function deliverTo(receivers: WebhookReceiver[], rounds: number): Promise<void> {
  const stored: string[] = []
  for (let round = 0; round < rounds; round++) {
    for (const { origin } of receivers) {
      const { id } = await deliverers.store(origin)
      stored.push(id)
      await deliverers.notify(id)
    }
  }
  const arrived = () => receivers.flatMap(({ received }) => received.map(({ headers }) => headers['x-webhook-id']))
  await waitUntil('every event has arrived', () => stored.every((id) => arrived().includes(id)))
  expect(new Set(arrived()).size).toBe(arrived().length)
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
  receiver.reply((webhook) => (hangs(webhook) ? { instead: 'hang' } : {}))
  await deliverers.store(`${receiver.origin}/hang`)
  deliverers.start(SETTINGS, ENDLESS)
  await receiver.waitFor(hangs)
  const fine = await Promise.all(Array.from({ length: 10 }, () => deliverers.store(`${receiver.origin}/fine`)))
  for (const { deliveryId } of fine) expect((await deliverers.settled(deliveryId)).status).toBe('delivered')
})

test('thirty hostile receivers that fill every slot delay no other receiver', async () => {
  const hanging = [...(await startHostile('hang', 10)), ...(await startHostile('drip', 10))]
  await startHostile('endless', 10)
  const others = await startHealthy(5)
  for (const { origin } of hostile) for (let count = 0; count < 10; count++) await deliverers.store(origin)
  deliverers.start(SETTINGS, ENDLESS)
  for (let round = 0; round < 5; round++) {
    await waitUntil('every slot is taken', () => hanging.every((receiver) => receiver.open().now > 0))
    await deliverTo(others, 4)
    // The attempts fail, and those that follow take the slots again.
    for (const receiver of hanging) receiver.cut()
  }
})

test('receivers that were quick and then all hang delay no other receiver', async () => {
  const turning = await startHealthy(12)
  const others = await startHealthy(3)
  deliverers.start({ ...SETTINGS, WEBHOOK_CONCURRENCY: '10' }, ENDLESS)
  const first = await Promise.all(turning.map(({ origin }) => deliverers.store(origin)))
  await Promise.all(first.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  for (const receiver of turning) receiver.reply({ instead: 'hang' })
  for (const { origin } of turning) for (let count = 0; count < 5; count++) await deliverers.store(origin)
  await deliverTo(others, 10)
})

test('the limit of concurrent deliveries to a receiver applies to all deliverers together', async () => {
  let open = 0
  let max = 0
  deliverers.receiver.reply(() => {
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
    receiver.reply(({ body }) => {
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
