import { randomUUID } from 'node:crypto'
import { storeJob, useTestDatabase } from '@subtext/db/testing'
import { findFollowedJobs, findJob, findJobs } from './find-jobs.ts'

const { db } = useTestDatabase()

describe('findJob', () => {
  test('finds a job only for its owner', async () => {
    const { id, userId } = await storeJob(db)
    expect(await findJob(db, userId, id)).toMatchObject({ id, userId, status: 'queued' })
    expect(await findJob(db, randomUUID(), id)).toBeNull()
    expect(await findJob(db, userId, randomUUID())).toBeNull()
  })
})

test('findJobs and findFollowedJobs find every job only for its owner, in the order of the ids', async () => {
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
  expect(found[2]).toEqual(await findJob(db, first.userId, first.id))
  const followed = await findFollowedJobs(db, ids)
  expect(followed.map((one) => one && { id: one.job.id, readyModes: one.readyModes })).toEqual(
    found.map((job) => job && { id: job.id, readyModes: [] }),
  )
})
