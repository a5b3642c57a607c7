import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { storeJob } from '../testing/index.ts'
import { getStatus } from './get.ts'
import { createJobLookups } from './lookups.ts'

const { db } = useTestDatabase()

test('jobs whose status is requested together share one statement, and each caller sees only its own', async () => {
  let statements = 0
  const query = <Row>(text: string, values?: unknown[]) => {
    statements++
    return db.query<Row>(text, values)
  }
  const ctx = { lookups: createJobLookups({ ...db, query }) }
  const jobs = [await storeJob(db), await storeJob(db), await storeJob(db)]
  const [first, second, ...others] = await Promise.allSettled([
    ...jobs.map((job) => getStatus(ctx, job, job.id)),
    getStatus(ctx, { userId: randomUUID() }, jobs[0]?.id ?? ''),
    getStatus(ctx, { userId: randomUUID() }, 'malformed'),
  ])
  expect(statements).toBe(1)
  expect([first, second, others[0]]).toEqual(
    jobs.map(({ id }) => ({ status: 'fulfilled', value: expect.objectContaining({ id }) })),
  )
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'NOT_FOUND' }) }
  expect(others.slice(1)).toEqual([refused, refused])
})

test('an outage of the database is reported to each caller, and the next statement runs', async () => {
  let isAway = true
  const query = async <Row>(text: string, values?: unknown[]) => {
    if (isAway) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    return db.query<Row>(text, values)
  }
  const ctx = { lookups: createJobLookups({ ...db, query }) }
  const job = await storeJob(db)
  const refused = { status: 'rejected', reason: expect.objectContaining({ message: 'away' }) }
  expect(await Promise.allSettled([getStatus(ctx, job, job.id), getStatus(ctx, job, job.id)])).toEqual([
    refused,
    refused,
  ])
  isAway = false
  expect(await getStatus(ctx, job, job.id)).toMatchObject({ id: job.id })
})
