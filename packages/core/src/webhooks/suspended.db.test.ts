import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { storeEvent } from '../testing/index.ts'
import { listClaimableDeliveries, skipDeliveries } from './claim-sql.ts'

const { db } = useTestDatabase()

test('sets aside the deliveries of a suspended account, also those that its owner has requested, but not those of others', async () => {
  const { id } = await db.prisma.user.create({
    data: { id: randomUUID(), email: 'suspended@example.org', suspendedAt: new Date() },
  })
  const ofOther = await storeEvent(db)
  const held = [await storeEvent(db, { userId: id }), await storeEvent(db, { userId: id })].map(
    ({ deliveryId }) => deliveryId,
  )
  await db.query('UPDATE webhook_deliveries SET forced = true WHERE id = $1', [held[0]])
  const list = () => listClaimableDeliveries(db, { from: randomUUID(), cap: 9, limit: 9, smallBytes: 1_000 })
  const found = await list()
  const disabled = found.filter((delivery) => delivery.disabled).map((delivery) => delivery.id)
  expect(disabled.length).toBeGreaterThan(0)
  expect(held).toEqual(expect.arrayContaining(disabled))
  await skipDeliveries(db, held)
  expect((await list()).map((delivery) => delivery.id)).toEqual([ofOther.deliveryId])
  expect(await db.prisma.webhookDelivery.count({ where: { status: 'skipped', userId: id } })).toBe(2)
})
