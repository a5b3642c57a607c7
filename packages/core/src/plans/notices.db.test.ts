import { randomUUID } from 'node:crypto'
import { useTestDatabase } from '@subtext/db/testing'
import { acceptJobs } from '../jobs/accept-sql.ts'
import { newJob, PERIODS } from '../testing/index.ts'
import { openQuotaPeriods } from './quota-sql.ts'

const { db } = useTestDatabase({ maxConnections: 8 })
const NOW = new Date('2026-11-21T12:00:00.000Z')

async function newUser({ verified = true, deleted = false } = {}): Promise<string> {
  const id = randomUUID()
  await db.query('INSERT INTO users (id, email, email_verified, deleted_at) VALUES ($1, $2, $3, $4)', [
    id,
    `${id}@example.org`,
    verified,
    deleted ? NOW : null,
  ])
  return id
}

/** Submits videos of accounts with this quota, one statement for all. */
async function submit(userIds: string[], quota: { daily: number; monthly: number }, periods = PERIODS) {
  await openQuotaPeriods(db, [...new Set(userIds)], periods)
  const jobs = userIds.map((userId) => newJob({ userId, quota }))
  return acceptJobs(db, jobs, { periods, now: NOW, wakeSeconds: 60 })
}

interface Notice {
  recipient: string
  kind: string
  data: { quota: string; percent: number; limit: number; resets_at: string }
}

async function noticesTo(userId: string): Promise<Notice[]> {
  const { rows } = await db.query<Notice>(
    'SELECT recipient, kind, data FROM emails WHERE user_id = $1 ORDER BY created_at, dedupe_key',
    [userId],
  )
  return rows
}
const percentsTo = async (userId: string) =>
  (await noticesTo(userId)).map(({ data }) => `${data.quota} ${data.percent}`).sort()

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('queues an email at 80 and at 100% of a quota, and none between or beyond', async () => {
  const userId = await newUser()
  const quota = { daily: 10, monthly: 1_000 }
  const after: number[] = []
  for (let used = 1; used <= 12; used++) {
    await submit([userId], quota)
    after.push((await noticesTo(userId)).length)
  }
  expect(after).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2])
  expect(await noticesTo(userId)).toEqual(
    expect.arrayContaining([
      {
        recipient: `${userId}@example.org`,
        kind: 'quota_reached',
        data: { quota: 'daily', percent: 80, limit: 10, resets_at: '2026-11-22T00:00:00Z' },
      },
    ]),
  )
})

test('reports the month on its own, which ends with the month', async () => {
  const userId = await newUser()
  await submit(times(5, userId), { daily: 100, monthly: 5 }, { day: '2026-12-31', month: '2026-12-01' })
  expect((await noticesTo(userId)).map(({ data }) => data)).toEqual([
    { quota: 'monthly', percent: 100, limit: 5, resets_at: '2027-01-01T00:00:00Z' },
  ])
})

test('queues it once for a period, however often the quota is given back and used again, by however many at once', async () => {
  const userId = await newUser()
  const quota = { daily: 10, monthly: 1_000 }
  await Promise.all(times(10, userId).map((id) => submit([id], quota)))
  expect(await percentsTo(userId)).toEqual(['daily 100', 'daily 80'])
  for (let again = 0; again < 3; again++) {
    await db.query('UPDATE quota_usage SET used = 5 WHERE user_id = $1', [userId])
    await submit(times(5, userId), quota)
  }
  expect(await percentsTo(userId)).toEqual(['daily 100', 'daily 80'])
  await submit(times(8, userId), quota, { ...PERIODS, day: '2026-11-22' })
  expect(await percentsTo(userId)).toEqual(['daily 100', 'daily 80', 'daily 80'])
})

test('keeps the quotas of accounts apart that submit in one statement', async () => {
  const [busy, calm] = [await newUser(), await newUser()]
  await submit([...times(4, busy), ...times(2, calm)], { daily: 5, monthly: 50 })
  expect([await percentsTo(busy), await percentsTo(calm)]).toEqual([['daily 80'], []])
})

test('queues nothing for an address that nobody has confirmed, a deleted account, or an account without a quota', async () => {
  const [unverified, deleted, admin] = [
    await newUser({ verified: false }),
    await newUser({ deleted: true }),
    await newUser(),
  ]
  await submit([...times(5, unverified), ...times(5, deleted)], { daily: 5, monthly: 5 })
  await acceptJobs(
    db,
    times(5, admin).map((userId) => newJob({ userId })),
    { periods: PERIODS, now: NOW, wakeSeconds: 60 },
  )
  for (const userId of [unverified, deleted, admin]) expect(await noticesTo(userId)).toEqual([])
})
