import { ServiceError } from '@subtext/contracts'
import { failJob } from '@subtext/core/jobs'
import { claimStoredJob } from '@subtext/core/testing'
import { useTestDatabase } from '@subtext/db/testing'
import { waitUntil } from '@subtext/embedded/testing'
import { removeSafeguard } from './controls.ts'
import { type SecondWriter, startSecondWriter } from './second-writer.ts'

const { db } = useTestDatabase()
let writer: SecondWriter
afterEach(() => writer.stop())

const ignore = (): void => {}
const ctx = {
  db,
  log: { info: ignore, warn: ignore, error: ignore },
  producer: { wakeJobs: async () => {} },
  notifier: { publish: async () => {}, subscribe: () => ignore },
}

/** Stores a job with a webhook and a quota, and ends it. */
async function endJob(): Promise<void> {
  const { lease } = await claimStoredJob(db, {
    webhookUrl: 'https://example.org/hook',
    quota: { daily: 1, monthly: 1 },
  })
  const error = new ServiceError('VIDEO_UNAVAILABLE')
  expect(await failJob(ctx, lease, { error, completedAt: new Date() })).toBe(true)
}

test('every write of a second writer is refused, and the control without the unique index lets one through', async () => {
  await endJob()
  // The writer repeats the writes of jobs that have just ended.
  const keepRecent = () => db.query('UPDATE jobs SET completed_at = now()')
  writer = startSecondWriter(db)
  await waitUntil('each write has been refused', async () => {
    await keepRecent()
    return writer.refused() >= 6
  })
  expect(writer.accepted()).toBe(0)
  await removeSafeguard(db, 'unique')
  await waitUntil('an event is accepted', async () => {
    await keepRecent()
    return writer.accepted() > 0
  })
})
