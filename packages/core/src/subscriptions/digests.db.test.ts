import { useTestDatabase } from '@subtext/db/testing'
import { storeSubscription } from '../testing/index.ts'
import { listDueDigests } from './digests-sql.ts'

const { db } = useTestDatabase({ per: 'test' })

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
  const { id } = await storeSubscription(db, { timeZone, email, digestedAt: new Date(last) })
  const dueAt = (time: number) => listDueDigests(db, new Date(time), 10)
  expect(await dueAt(Date.parse(due) - 1)).toEqual([])
  expect(await dueAt(Date.parse(due))).toEqual([id])
  expect(await dueAt(Date.parse(due) + 3 * 86_400_000)).toEqual([id])
})
