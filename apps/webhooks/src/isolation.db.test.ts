import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhookReceiver, type WebhookReceiver } from '@subtext/fakes'
import { TestDeliverers } from './testing/deliverer.ts'
import { type HOSTILITIES, type HostileReceiver, startHostileReceiver } from './testing/hostile-receivers.ts'

/** A fifth of the real one, so that a test sees several waves of attempts that come to nothing. */
const TIMING = { attemptTimeoutMs: 3_000 }
const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '0s,1s,2s,4s', WEBHOOK_CONCURRENCY: '20' }
/** Far more than any takes, on a busy machine too; far less than the waves of attempts that hang would hold it up for. */
const MAX_WAIT_MS = 6_000

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
  await deliverers.reset()
  await Promise.all(healthy.map((receiver) => receiver.close()))
})
afterAll(() => deliverers.close())

const startHostile = async (kind: keyof typeof HOSTILITIES, count: number): Promise<void> => {
  hostile.push(...(await Promise.all(Array.from({ length: count }, () => startHostileReceiver(kind)))))
}
const startHealthy = async (count: number): Promise<void> => {
  healthy.push(...(await Promise.all(Array.from({ length: count }, () => startWebhookReceiver()))))
}

/** Events for the healthy, one after the other, `rounds` times; milliseconds from each event to its arrival, sorted. */
async function measureHealthy(rounds: number): Promise<number[]> {
  const stored = new Map<string, Date>()
  for (let round = 0; round < rounds; round++) {
    for (const { origin } of healthy) {
      const event = await deliverers.store(origin)
      stored.set(event.id, event.createdAt)
      await deliverers.tell(event.id)
    }
    await sleep(50)
  }
  const waits: number[] = []
  for (const receiver of healthy) {
    await receiver.waitFor(() => receiver.received.length >= rounds, 20_000)
    for (const { headers, receivedAt } of receiver.received) {
      const since = stored.get(String(headers['x-webhook-id']))
      waits.push(receivedAt.getTime() - (since?.getTime() ?? Number.NaN))
    }
  }
  expect(waits).toHaveLength(rounds * healthy.length)
  return waits.sort((one, other) => one - other)
}

async function expectNobodyWaits(rounds: number): Promise<void> {
  const waits = await measureHealthy(rounds)
  expect(waits[Math.floor(waits.length * 0.95)]).toBeLessThan(MAX_WAIT_MS)
}

test('one receiver that hangs, with three hundred events before it, delays nobody', async () => {
  await startHostile('hang', 1)
  await startHealthy(9)
  const [silent] = hostile as [HostileReceiver]
  for (let count = 0; count < 300; count++) await deliverers.store(`${silent.origin}/?${count}`)
  deliverers.start(SETTINGS, TIMING)
  await expectNobodyWaits(30)
  expect(silent.open().most).toBe(1)
})

test('a path that hangs does not delay the other paths of its host', async () => {
  const hangs = ({ url }: { url: string }) => url === '/hang'
  const receiver = await startWebhookReceiver()
  receiver.answer((webhook) => (hangs(webhook) ? { instead: 'hang' } : {}))
  await deliverers.store(`${receiver.origin}/hang`)
  deliverers.start(SETTINGS, { attemptTimeoutMs: 600_000 })
  try {
    await receiver.waitFor(hangs, 20_000)
    const fine = await Promise.all(Array.from({ length: 10 }, () => deliverers.store(`${receiver.origin}/fine`)))
    for (const { deliveryId } of fine) expect((await deliverers.settled(deliveryId)).status).toBe('delivered')
  } finally {
    await receiver.close()
  }
})

test('thirty hostile receivers that fill every slot delay nobody', async () => {
  await startHostile('hang', 10)
  await startHostile('drip', 10)
  await startHostile('endless', 10)
  await startHealthy(5)
  for (const { origin } of hostile) for (let count = 0; count < 10; count++) await deliverers.store(origin)
  deliverers.start(SETTINGS, TIMING)
  await expectNobodyWaits(40)
})

test('receivers that were quick and hang all at once delay nobody for long', async () => {
  const turning = await Promise.all(Array.from({ length: 12 }, () => startWebhookReceiver()))
  await startHealthy(3)
  deliverers.start({ ...SETTINGS, WEBHOOK_CONCURRENCY: '10' }, TIMING)
  const first = await Promise.all(turning.map(({ origin }) => deliverers.store(origin)))
  await Promise.all(first.map(({ deliveryId }) => deliverers.settled(deliveryId)))
  for (const receiver of turning) receiver.answer({ instead: 'hang' })
  for (const { origin } of turning) for (let count = 0; count < 5; count++) await deliverers.store(origin)
  await expectNobodyWaits(20)
  await Promise.all(turning.map((receiver) => receiver.close()))
})

test('what is under way at a receiver is counted over all deliverers', async () => {
  let open = 0
  let most = 0
  deliverers.receiver.answer(() => {
    most = Math.max(most, ++open)
    setTimeout(() => open--, 20)
    return { delayMs: 30 }
  })
  const events = await Promise.all(Array.from({ length: 60 }, () => deliverers.store()))
  for (let count = 0; count < 3; count++) deliverers.start({ WEBHOOK_RECEIVER_CONCURRENCY: '4' })
  for (const { deliveryId } of events) await deliverers.settled(deliveryId)
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
})

test('bodies under way are bounded, and one larger than that goes alone', async () => {
  const LARGE = 30 * 1024 * 1024
  let open = 0
  let most = 0
  healthy = await Promise.all(Array.from({ length: 4 }, () => startWebhookReceiver()))
  for (const receiver of healthy) {
    receiver.answer(({ body }) => {
      open += body.length
      most = Math.max(most, open)
      setTimeout(() => {
        open -= body.length
      }, 90)
      return { delayMs: 100 }
    })
  }
  const events = []
  for (const { origin } of healthy) events.push(await deliverers.store(origin, Buffer.alloc(LARGE, 'a')))
  const [first] = healthy
  events.push(await deliverers.store(first?.origin, Buffer.alloc(70 * 1024 * 1024, 'b')))
  deliverers.start()
  for (const { deliveryId } of events)
    expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered' })
  expect(most).toBeLessThanOrEqual(70 * 1024 * 1024)
}, 120_000)
