import { randomUUID } from 'node:crypto'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import { getJob } from './get.ts'

const { db } = useTestDatabase()

test('jobs that are requested together share one statement, and each caller sees only its own', async () => {
  let statements = 0
  const query = <Row>(text: string, values?: unknown[]) => {
    statements++
    return db.query<Row>(text, values)
  }
  const ctx = { db: { ...db, query } }
  const jobs = [await storeJob(db), await storeJob(db), await storeJob(db)]
  const [first, second, ...others] = await Promise.allSettled([
    ...jobs.map((job) => getJob(ctx, job, job.id)),
    getJob(ctx, { userId: randomUUID() }, jobs[0]?.id ?? ''),
    getJob(ctx, { userId: randomUUID() }, 'malformed'),
  ])
  expect(statements).toBe(1)
  expect([first, second, others[0]]).toEqual(
    jobs.map(({ id }) => ({ status: 'fulfilled', value: expect.objectContaining({ id }) })),
  )
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'NOT_FOUND' }) }
  expect(others.slice(1)).toEqual([refused, refused])
})

test('a statement that fails is reported to each caller, and the next one runs', async () => {
  let isAway = true
  const query = async <Row>(text: string, values?: unknown[]) => {
    if (isAway) throw new Error('away')
    return db.query<Row>(text, values)
  }
  const ctx = { db: { ...db, query } }
  const job = await storeJob(db)
  const refused = { status: 'rejected', reason: expect.objectContaining({ message: 'away' }) }
  expect(await Promise.allSettled([getJob(ctx, job, job.id), getJob(ctx, job, job.id)])).toEqual([refused, refused])
  isAway = false
  expect(await getJob(ctx, job, job.id)).toMatchObject({ id: job.id })
})
