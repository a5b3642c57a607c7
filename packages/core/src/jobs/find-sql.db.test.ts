import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { storeJob } from '../testing/index.ts'
import { findChangedJobs, findFollowedJobs, findJob, findJobs } from './find-sql.ts'

const { db } = useTestDatabase()
const stateOf = async (userId: string, jobId: string) =>
  (await findFollowedJobs(db, [{ userId, jobId }]))[0]?.state ?? ''

describe('findJob', () => {
  test('finds a job only for its owner', async () => {
    const { id, userId } = await storeJob(db)
    expect(await findJob(db, userId, id)).toMatchObject({ id, userId, status: 'queued' })
    expect(await findJob(db, randomUUID(), id)).toBeNull()
    expect(await findJob(db, userId, randomUUID())).toBeNull()
  })
})

test('findJobs and findFollowedJobs find every job only for its owner, in the order of the IDs', async () => {
  const [first, second] = [await storeJob(db), await storeJob(db)]
  const owned = { userId: first.userId, jobId: first.id }
  const ids = [
    { userId: second.userId, jobId: second.id.toUpperCase() },
    { userId: second.userId, jobId: first.id },
    owned,
    { userId: first.userId, jobId: randomUUID() },
    owned,
  ]
  const found = await findJobs(db, ids)
  expect(found.map((job) => job?.id ?? null)).toEqual([second.id, null, first.id, null, first.id])
  expect(await findJob(db, first.userId, first.id)).toMatchObject({ ...found[2] })
  const followed = await findFollowedJobs(db, ids)
  expect(followed.map((one) => one && { id: one.job.id, readyModes: one.readyModes })).toEqual(
    found.map((job) => job && { id: job.id, readyModes: [] }),
  )
})

describe('findChangedJobs', () => {
  test.each<[string, string]>([
    ['its status', `status = 'processing', lease_token = gen_random_uuid()`],
    ['its step', `step = 'summarizing'`],
    ['its progress', 'progress = 50'],
    ['the end of its pause', `status = 'processing', wake_at = now() + interval '1 hour'`],
  ])('finds a job when %s has changed', async (_, change) => {
    const [job, other] = [await storeJob(db), await storeJob(db)]
    const seen = await Promise.all(
      [other, job].map(async ({ id, userId }) => ({
        jobId: id,
        state: await stateOf(userId, id),
      })),
    )
    expect(await findChangedJobs(db, seen)).toEqual([])
    await db.query(`UPDATE jobs SET ${change} WHERE id = $1`, [job.id])
    expect(await findChangedJobs(db, seen)).toEqual([1])
  })

  test('finds a job that does not exist any more, and no job when there are none', async () => {
    expect(await findChangedJobs(db, [{ jobId: randomUUID(), state: '' }])).toEqual([0])
    expect(await findChangedJobs(db, [])).toEqual([])
  })

  test('finds no job whose lease was extended', async () => {
    const { id, userId } = await storeJob(db)
    await db.query(`UPDATE jobs SET status = 'processing', lease_token = gen_random_uuid() WHERE id = $1`, [id])
    const seen = [{ jobId: id, state: await stateOf(userId, id) }]
    await db.query(`UPDATE jobs SET wake_at = now() + interval '30 seconds', updated_at = now() WHERE id = $1`, [id])
    expect(await findChangedJobs(db, seen)).toEqual([])
  })
})
