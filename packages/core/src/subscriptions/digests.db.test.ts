import { useTestDatabase } from '@subtext/db/testing'
import { v7 as newId } from 'uuid'
import { listDueDigests } from './digests-sql.ts'

const { db } = useTestDatabase({ per: 'test' })

async function addSubscription(timeZone: string, email: string, digestedAt: string): Promise<string> {
  const [user, source, link, id] = [newId(), newId(), newId(), newId()]
  await db.query(
    `INSERT INTO users (id, email, name, email_verified, time_zone, created_at, updated_at) VALUES ($1, $2, '', true, $3, now(), now())`,
    [user, `${user}@example.org`, timeZone],
  )
  await db.query("INSERT INTO sources (id, kind, platform_id, used_at) VALUES ($1, 'channel', $2, now())", [
    source,
    source,
  ])
  await db.query('INSERT INTO account_sources (id, user_id, source_id, created_at) VALUES ($1, $2, $3, now())', [
    link,
    user,
    source,
  ])
  await db.query(
    `INSERT INTO subscriptions (id, user_id, account_source_id, action, options, priority, email, stop_key, digested_at, created_at, updated_at)
     VALUES ($1, $2, $3, 'notify', '{}', 'normal', $4, '\\x00', $5, now(), now())`,
    [id, user, link, email, digestedAt],
  )
  return id
}

test.each([
  // Clocks are put forward on March 29, 2026 in Berlin, and back on October 25.
  ['Europe/Berlin', 'daily', '2026-03-28T06:00:00Z', '2026-03-29T05:00:00Z'],
  ['Europe/Berlin', 'daily', '2026-03-29T05:00:00Z', '2026-03-30T05:00:00Z'],
  ['Europe/Berlin', 'daily', '2026-10-24T05:00:00Z', '2026-10-25T06:00:00Z'],
  ['Europe/Berlin', 'daily', '2026-10-25T06:00:00Z', '2026-10-26T06:00:00Z'],
  ['America/St_Johns', 'daily', '2026-01-09T10:30:00Z', '2026-01-10T10:30:00Z'],
  ['Pacific/Kiritimati', 'daily', '2026-01-09T17:00:00Z', '2026-01-10T17:00:00Z'],
  ['UTC', 'weekly', '2026-11-23T07:00:00Z', '2026-11-30T07:00:00Z'],
  ['Pacific/Auckland', 'weekly', '2026-11-22T18:00:00Z', '2026-11-29T18:00:00Z'],
])('in %s, the %s digest after that of %s is due at %s', async (timeZone, email, last, due) => {
  const id = await addSubscription(timeZone, email, last)
  const dueAt = (time: number) => listDueDigests(db, new Date(time), 10)
  expect(await dueAt(Date.parse(due) - 1)).toEqual([])
  expect(await dueAt(Date.parse(due))).toEqual([id])
  expect(await dueAt(Date.parse(due) + 3 * 86_400_000)).toEqual([id])
})
