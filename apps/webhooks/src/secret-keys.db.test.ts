import { setTimeout as sleep } from 'node:timers/promises'
import { passTime } from '@subtext/core/testing'
import { TestDeliverers, until } from './testing/deliverer.ts'

const OTHER_KEY = 'ab'.repeat(32)
let deliverers: TestDeliverers

beforeAll(async () => {
  deliverers = await TestDeliverers.open()
})
afterEach(() => deliverers.reset())
afterAll(() => deliverers.close())

test('a deliverer with the wrong encryption key sends nothing and uses up no attempt', async () => {
  await deliverers.secrets()
  deliverers.start({ WEBHOOK_SECRET_KEY: OTHER_KEY })
  const { deliveryId } = await deliverers.store()
  await until(async () => (await deliverers.find(deliveryId)).leaseToken !== null)
  await sleep(300)
  expect(await deliverers.find(deliveryId)).toMatchObject({ status: 'pending', attempts: 0 })
  expect(deliverers.receiver.received).toEqual([])
  await deliverers.stopAll()

  // As if the lease had expired.
  await passTime(deliverers.db)
  deliverers.start()
  expect(await deliverers.settled(deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 })
})

test('a deliverer encrypts secrets that are stored unencrypted or under a former key when it starts', async () => {
  const [secret] = await deliverers.secrets()
  const stored = () => deliverers.db.prisma.webhookSecret.findFirstOrThrow()
  const { id } = await stored()
  await deliverers.db.query('UPDATE webhook_secrets SET secret = $1, sealed = NULL, key_id = NULL', [secret])
  deliverers.start()
  await until(async () => (await stored()).secret === null)
  const former = await stored()
  expect(former).toMatchObject({ id, secret: null, sealed: expect.any(Uint8Array), keyId: expect.any(String) })
  expect(await deliverers.secrets()).toEqual([secret])
  await deliverers.stopAll()

  const bothKeys = `new:${OTHER_KEY},${Buffer.alloc(32, 7).toString('base64')}`
  deliverers.start({ WEBHOOK_SECRET_KEY: bothKeys })
  await until(async () => (await stored()).keyId === 'new')
})
