import type { Db } from '@subtext/db'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { storeJob } from '../testing/index.ts'
import { findFollowedJobs } from './find-sql.ts'
import { createJobWatcher } from './watch.ts'

const { db } = useTestDatabase()

/** Watches new jobs through a store that counts what it is asked. */
async function watchMany(count: number) {
  const asked: number[] = []
  let isAway = false
  const query: Db['query'] = (text, values = []) => {
    asked.push((values[0] as string[]).length)
    return isAway ? Promise.reject(new Error('away')) : db.query(text, values)
  }
  const watch = createJobWatcher({ ...db, query })
  const jobs = await Promise.all(Array.from({ length: count }, () => storeJob(db)))
  const changed: string[] = []
  const watches = jobs.map(({ id }) => watch(() => changed.push(id)))
  for (const [index, { id, userId }] of jobs.entries()) {
    const [followed] = await findFollowedJobs(db, [{ userId, jobId: id }])
    if (followed) watches[index]?.lookAfter(followed)
  }
  return { asked, changed, jobs, watches, setAway: (away: boolean) => (isAway = away) }
}

test('notices what notifications have not announced, with one statement for all jobs', async () => {
  const { asked, changed, jobs, watches } = await watchMany(50)
  await db.query('UPDATE jobs SET progress = 30 WHERE id = $1', [jobs[7]?.id])
  await db.query('DELETE FROM jobs WHERE id = $1', [jobs[9]?.id])
  await waitUntil('both are noticed', () => changed.length >= 2)
  expect(new Set(changed)).toEqual(new Set([jobs[7]?.id, jobs[9]?.id]))
  expect(new Set(asked)).toEqual(new Set([50]))
  for (const watch of watches) watch.stop()
})

test('looks for changes since the job was last read, and stops looking when it is stopped', async () => {
  const { asked, changed, jobs, watches } = await watchMany(2)
  const [first, second] = jobs
  await db.query('UPDATE jobs SET progress = 30 WHERE id = ANY ($1)', [jobs.map(({ id }) => id)])
  const [followed] = await findFollowedJobs(db, [{ userId: first?.userId ?? '', jobId: first?.id ?? '' }])
  if (followed) watches[0]?.lookAfter(followed)
  await waitUntil('the other change is noticed', () => changed.length > 0)
  expect(changed).toEqual([second?.id])
  watches[0]?.stop()
  const looks = asked.length
  await waitUntil('it looks again', () => asked.length > looks)
  expect(asked.at(-1)).toBe(1)
  watches[1]?.stop()
})

test('lets each follower find out why the store cannot be queried', async () => {
  const { changed, jobs, watches, setAway } = await watchMany(3)
  setAway(true)
  await waitUntil('all are called', () => changed.length >= 3)
  expect(new Set(changed)).toEqual(new Set(jobs.map(({ id }) => id)))
  setAway(false)
  await db.query('UPDATE jobs SET progress = 30 WHERE id = $1', [jobs[1]?.id])
  changed.length = 0
  await waitUntil('it looks again', () => changed.length > 0)
  for (const watch of watches) watch.stop()
})
