import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { claimDeliveries, claimOne, passTime, settle, storeEvent } from '../testing/index.ts'
import { listClaimableDeliveries, queueDueDeliveries, skipDeliveries } from './claim-sql.ts'
import { buildWebhookKeys } from './receiver-keys.ts'

const { db } = useTestDatabase()
beforeEach(async () => {
  await db.query('TRUNCATE webhook_events, webhook_receivers, webhook_endpoints CASCADE')
})

const userId = randomUUID()
const urlOf = (host: string) => `https://${host}/hook`
const know = (host: string, quick: boolean, account = userId) =>
  db.query('INSERT INTO webhook_receivers (key, quick, updated_at) VALUES ($1, $2, now())', [
    buildWebhookKeys(account, urlOf(host)).receiverKey,
    quick,
  ])
const storeMany = (count: number, host: string, createdAt = new Date(Date.now() - 1_000)) =>
  Promise.all(Array.from({ length: count }, () => storeEvent(db, { userId, url: urlOf(host), createdAt })))
const listReady = async () =>
  (await db.query<{ id: string }>('SELECT id FROM webhook_deliveries WHERE ready ORDER BY id')).rows
const pathsOf = (claimed: { url: string }[]) => claimed.map(({ url }) => new URL(url).pathname).sort()
const hostsOf = (claimed: { url: string }[]) => claimed.map(({ url }) => new URL(url).host)

test('claims a delivery with its exact bytes and the number of the attempt', async () => {
  const event = await storeEvent(db)
  expect(await claimDeliveries(db)).toEqual([
    {
      id: event.deliveryId,
      eventId: event.id,
      type: 'job.completed',
      subjectId: event.subjectId,
      traceparent: null,
      requestId: null,
      userId: event.userId,
      url: event.url,
      attemptNo: 1,
      scheduleNo: 1,
      token: expect.any(String),
      createdAt: event.createdAt,
      pace: 'new',
      body: event.body,
    },
  ])
  expect(await claimDeliveries(db)).toEqual([])
})

test('claims the exact bytes of bodies, whether they are text or not', async () => {
  const bodies = ['{"a":"\u00e9 日本 \u2028 \\u0000 \\n"}', ''].map((text) => Buffer.from(text))
  for (const body of bodies) await storeEvent(db, { body })
  const texts = await claimDeliveries(db)
  expect(texts.map(({ body }) => body.toString('hex')).sort()).toEqual(
    bodies.map((body) => body.toString('hex')).sort(),
  )
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x22])
  await storeEvent(db, { body: bytes })
  await storeEvent(db, { body: bodies[0] })
  const claimed = await claimDeliveries(db)
  expect(claimed.map(({ body }) => body.toString('hex')).sort()).toEqual(
    [bytes, bodies[0] ?? bytes].map((body) => body.toString('hex')).sort(),
  )
})

test('claims at most `limit` deliveries, those that have waited longest first', async () => {
  const late = await storeEvent(db)
  const later = await storeEvent(db, { createdAt: new Date(Date.now() - 60_000) })
  const { deliveryId } = await storeEvent(db)
  await db.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 min' WHERE id = $1`, [deliveryId])
  expect((await claimDeliveries(db, { limit: 1 })).map(({ id }) => id)).toEqual([later.deliveryId])
  expect((await claimDeliveries(db, { limit: 5 })).map(({ id }) => id)).toEqual([late.deliveryId])
})

test('returns what it has claimed in turns from quick and new receivers, however long one of them has waited', async () => {
  await know('quick.example', true)
  for (const host of ['a.example', 'b.example', 'c.example']) await storeMany(1, host, new Date(Date.now() - 60_000))
  await storeMany(2, 'quick.example')
  const isQuick = (await claimDeliveries(db)).map(({ pace }) => pace === 'quick')
  expect(isQuick).toEqual([false, true, false, true, false])
})

test('never gives a delivery to two concurrent deliverers, and leaves none over', async () => {
  await Promise.all(Array.from({ length: 40 }, () => storeEvent(db)))
  const claims = (await Promise.all(Array.from({ length: 8 }, () => claimDeliveries(db)))).flat()
  claims.push(...(await claimDeliveries(db, { limit: 40 })))
  expect(claims).toHaveLength(40)
  expect(new Set(claims.map(({ id }) => id)).size).toBe(40)
})

test('leaves the deliveries of other deliverers to them if asked to, but not later attempts', async () => {
  const [leased, later] = [await storeEvent(db), await storeEvent(db)]
  const claimed = await claimDeliveries(db)
  const attempted = claimed.find(({ id }) => id === later.deliveryId)
  if (attempted) await settle(db, attempted)
  await passTime(db)
  await queueDueDeliveries(db, false)
  expect((await listReady()).map(({ id }) => id)).toEqual([later.deliveryId])
  await queueDueDeliveries(db, true)
  expect((await listReady()).map(({ id }) => id).sort()).toEqual([leased.deliveryId, later.deliveryId].sort())
})

test('makes the deliveries of a dead deliverer due again, as the same attempt', async () => {
  const { deliveryId } = await storeEvent(db)
  const lost = await claimOne(db)
  expect(await claimDeliveries(db)).toEqual([])
  await passTime(db)
  const again = await claimOne(db)
  expect([lost.id, again.id]).toEqual([deliveryId, deliveryId])
  expect([lost.attemptNo, again.attemptNo]).toEqual([1, 1])
})

describe('a receiver', () => {
  test('allows one attempt at a time at an unknown receiver, over all deliverers', async () => {
    await storeMany(5, 'new.example')
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimDeliveries(db)))
    expect(claims.flat()).toHaveLength(1)
  })

  test('allows one attempt per path at a new or slow receiver, up to the cap', async () => {
    await know('slow.example', false)
    for (const host of ['slow.example', 'new.example']) {
      for (const [nth, path] of ['a', 'a?again', 'b', 'c', 'd'].entries()) {
        const createdAt = new Date(Date.now() - 60_000 + nth * 1_000)
        await storeEvent(db, { userId, url: `https://${host}/${path}`, createdAt })
      }
    }
    const first = await claimDeliveries(db, { cap: 2 })
    expect(pathsOf(first)).toEqual(['/a', '/a', '/b', '/b'])
    expect(pathsOf(await claimDeliveries(db, { cap: 2 }))).toEqual([])
    expect(pathsOf(await claimDeliveries(db, { cap: 3 }))).toEqual(['/c', '/c'])
    for (const delivery of first) {
      if (delivery.url.endsWith('/a')) await settle(db, delivery, { quick: false, next: { status: 'delivered' } })
    }
    expect(pathsOf(await claimDeliveries(db, { cap: 3 }))).toEqual(['/a', '/a'])
  })

  test('does not hold up the other paths of a slow receiver behind many deliveries to one that does not respond', async () => {
    await know('slow.example', false)
    for (let nth = 0; nth < 30; nth++) await storeEvent(db, { userId, url: `https://slow.example/hangs-${nth % 2}` })
    await storeEvent(db, { userId, url: 'https://slow.example/responds' })
    expect(pathsOf(await claimDeliveries(db))).toEqual(['/hangs-0', '/hangs-1'])
    expect(pathsOf(await claimDeliveries(db))).toEqual(['/responds'])
    expect(await claimDeliveries(db)).toEqual([])
  })

  test('allows as many attempts as the cap at a quick receiver, over all deliverers', async () => {
    await know('quick.example', true)
    await storeMany(20, 'quick.example')
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimDeliveries(db, { limit: 3, cap: 4 })))
    expect(claims.flat()).toHaveLength(4)
    const [first] = claims.flat()
    if (first) await settle(db, first, { next: { status: 'delivered' } })
    expect(await claimDeliveries(db, { cap: 4 })).toHaveLength(1)
  })

  test('takes the pace of a receiver from its last attempt', async () => {
    await storeMany(9, 'turning.example')
    const [first] = await claimDeliveries(db)
    if (first) await settle(db, first, { quick: true })
    const quick = await claimDeliveries(db, { cap: 3 })
    expect(quick).toHaveLength(3)
    for (const delivery of quick) await settle(db, delivery, { quick: false })
    expect(await claimDeliveries(db, { cap: 3 })).toHaveLength(1)
  })

  test('identifies a receiver by account, scheme, host and port, regardless of the path', async () => {
    const hooks = ['https://a.example/1', 'https://a.example/2?q', 'https://A.example:443/3', 'https://a.example./']
    for (const url of [...hooks, 'http://a.example/', 'https://a.example:8443/']) await storeEvent(db, { userId, url })
    await storeEvent(db, { url: 'https://a.example/1' })
    const claimed = await claimDeliveries(db, { cap: 1 })
    expect(claimed).toHaveLength(5)
    expect(claimed.filter((found) => found.userId === userId && hooks.slice(0, 3).includes(found.url))).toHaveLength(1)
  })

  test('does not count expired leases', async () => {
    await storeMany(2, 'new.example')
    await claimDeliveries(db)
    await passTime(db)
    expect(await claimDeliveries(db)).toHaveLength(1)
  })
})

describe('the order of claims', () => {
  test('orders receivers by running attempts, then by waiting time', async () => {
    const old = new Date(Date.now() - 600_000)
    for (const host of ['busy.example', 'calm.example']) await know(host, true)
    await storeMany(6, 'busy.example', old)
    await storeMany(2, 'calm.example')
    expect(hostsOf(await claimDeliveries(db, { limit: 2 }))).toEqual(['busy.example', 'calm.example'])
    expect(hostsOf(await claimDeliveries(db, { limit: 2 }))).toEqual(['busy.example', 'calm.example'])
    expect(hostsOf(await claimDeliveries(db, { limit: 9 }))).toEqual(Array(4).fill('busy.example'))
  })

  test('starts at any receiver and wraps around, so that none is left out', async () => {
    for (let n = 0; n < 30; n++) await storeEvent(db, { userId, url: urlOf(`host${n}.example`) })
    for (const from of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', randomUUID()]) {
      expect(await listClaimableDeliveries(db, { from, cap: 2, limit: 100, smallBytes: 1_000 })).toHaveLength(30)
    }
  })

  test('lets quick, slow and new receivers take turns, so that many of one kind do not hide the others', async () => {
    await know('quick.example', true)
    await know('slow.example', false)
    await storeMany(1, 'quick.example')
    await storeMany(1, 'slow.example')
    const old = new Date(Date.now() - 600_000)
    for (let n = 0; n < 30; n++) await storeEvent(db, { userId, url: urlOf(`host${n}.example`), createdAt: old })
    const found = await listClaimableDeliveries(db, { from: randomUUID(), cap: 2, limit: 4, smallBytes: 1_000 })
    const paces = found.map(({ pace }) => pace)
    expect(paces.slice(0, 3).sort()).toEqual(['new', 'quick', 'slow'])
    expect(paces.slice(3)).toEqual(['new', 'new', 'new'])
  })

  test('does not hide small bodies behind large ones', async () => {
    const old = new Date(Date.now() - 600_000)
    const body = Buffer.alloc(2_000)
    for (let n = 0; n < 9; n++) await storeEvent(db, { userId, url: urlOf(`host${n}.example`), createdAt: old, body })
    const { deliveryId } = await storeEvent(db)
    const found = await listClaimableDeliveries(db, { from: randomUUID(), cap: 2, limit: 4, smallBytes: 1_000 })
    expect(found.map(({ bytes }) => bytes).filter((bytes) => bytes === 2_000)).toHaveLength(4)
    expect(found.map(({ id }) => id)).toContain(deliveryId)
  })

  test('orders slow receivers by their last attempts, however long their lines', async () => {
    for (const host of ['one.example', 'two.example']) await know(host, false)
    await storeMany(4, 'one.example', new Date(Date.now() - 600_000))
    await storeMany(2, 'two.example')
    const order: string[] = []
    for (let n = 0; n < 4; n++) {
      const delivery = await claimOne(db)
      await settle(db, delivery, { quick: false })
      order.push(...hostsOf([delivery]))
    }
    expect(new Set(order.slice(0, 2)).size).toBe(2)
    expect(order.slice(2)).toEqual(order.slice(0, 2))
  })
})

test('reports sizes before bodies are loaded', async () => {
  const body = Buffer.alloc(300_000, 'a')
  await storeEvent(db, { body })
  expect(await listClaimableDeliveries(db, { from: randomUUID(), cap: 1, limit: 1, smallBytes: 1_000 })).toMatchObject([
    { bytes: body.length, disabled: false },
  ])
})

describe('a disabled endpoint', () => {
  const disable = (url: string) =>
    db.query(
      `INSERT INTO webhook_endpoints (key, user_id, url, failing_since, failed_events, disabled_at, updated_at)
       VALUES ($1, $2, $3, now(), 10, now(), now())`,
      [buildWebhookKeys(userId, url).endpointKey, userId, url],
    )
  const list = () => listClaimableDeliveries(db, { from: randomUUID(), cap: 9, limit: 9, smallBytes: 1_000 })

  test('reports a disabled endpoint and skips all of its deliveries at once, but not those of others', async () => {
    await know('a.example', true)
    const dead = await storeMany(6, 'a.example')
    const alive = await storeEvent(db, { userId, url: 'https://a.example/alive' })
    await disable(urlOf('a.example'))
    const found = await list()
    expect(found.map(({ disabled }) => disabled)).toEqual([...Array(6).fill(true), false])
    expect(await skipDeliveries(db, [dead[0]?.deliveryId ?? ''])).toBe(6)
    expect((await list()).map(({ id }) => id)).toEqual([alive.deliveryId])
    expect(await db.prisma.webhookDelivery.count({ where: { status: 'skipped' } })).toBe(6)
  })

  test('records a skipped delivery as use of the endpoint, about once a day', async () => {
    await disable(urlOf('a.example'))
    const skipOneAfter = async (hours: number) => {
      await db.query('UPDATE webhook_endpoints SET updated_at = now() - make_interval(hours => $1)', [hours])
      const { deliveryId } = await storeEvent(db, { userId, url: urlOf('a.example') })
      await skipDeliveries(db, [deliveryId])
      const { updatedAt } = await db.prisma.webhookEndpoint.findFirstOrThrow()
      return Math.round((Date.now() - updatedAt.getTime()) / 3_600_000)
    }
    expect(await skipOneAfter(23)).toBe(23)
    expect(await skipOneAfter(25)).toBe(0)
  })

  test('attempts a requested redelivery even if the endpoint is disabled', async () => {
    const { deliveryId } = await storeEvent(db, { userId, url: urlOf('a.example') })
    await disable(urlOf('a.example'))
    await db.query('UPDATE webhook_deliveries SET forced = true')
    expect(await list()).toMatchObject([{ id: deliveryId, disabled: false }])
    await storeEvent(db, { userId, url: urlOf('a.example') })
    expect(await skipDeliveries(db, [deliveryId])).toBe(1)
    expect(await list()).toMatchObject([{ id: deliveryId }])
  })
})
