import { randomUUID } from 'node:crypto'
import { type Db, lockOwnJob } from '@subtext/db'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import { createJointClaim } from './claim-together.ts'

const { db } = useTestDatabase({ maxConnections: 4 })

/** Returns a joint claim, and which jobs each of its statements claims. */
function watchClaims() {
  const claims: unknown[] = []
  const query: Db['query'] = (text, [jobIds, ...values] = []) => {
    claims.push(jobIds)
    return db.query(text, [jobIds, ...values])
  }
  return { claim: createJointClaim({ db: { ...db, query } }, () => ({ leaseSeconds: 60 })), claims }
}

const storeSome = (count: number) =>
  Promise.all(Array.from({ length: count }, async () => (await storeJob(db, { webhookUrl: null })).id))

test('jobs whose tasks arrive together are claimed in one statement, and each of them once', async () => {
  const { claim, claims } = watchClaims()
  const ids = await storeSome(3)
  const claimed = await Promise.all([...ids, ...ids].map(claim))
  expect(claimed.flatMap((found) => (found ? [found.job.id] : [])).sort()).toEqual(ids.toSorted())
  for (const found of claimed) if (found) expect(found.lease.jobId).toBe(found.job.id)
  expect(claims[0]).toEqual([...ids, ...ids])
  const [last = ''] = await storeSome(1)
  expect(await claim(last)).toMatchObject({ job: { id: last }, lease: { jobId: last } })
  expect(claims.at(-1)).toEqual([last])
})

test('a claim that is refused does not affect the others', async () => {
  const { claim } = watchClaims()
  const [one = '', other = ''] = await storeSome(2)
  const outcomes = await Promise.allSettled([one, 'no id', other, randomUUID()].map(claim))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(await db.prisma.job.count({ where: { id: { in: [one, other] }, status: 'processing' } })).toBe(2)
})

test('a job that its owner is cancelling does not hold up the others, and is claimed if it was not cancelled', async () => {
  const { claim } = watchClaims()
  const [locked = '', ...others] = await storeSome(3)
  const { userId } = await db.prisma.job.findUniqueOrThrow({ where: { id: locked } })
  let claiming: Promise<unknown> | undefined
  await db.transaction(async (sql) => {
    await lockOwnJob(sql, userId, locked)
    claiming = claim(locked)
    const claims = others.map(claim)
    expect((await Promise.all(claims)).map((found) => found?.job.id)).toEqual(others)
  })
  expect(await claiming).toMatchObject({ job: { id: locked } })
})
