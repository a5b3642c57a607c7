import { randomUUID } from 'node:crypto'
import type { SummaryMode } from '@subtext/contracts'
import { useTestDatabase } from '@subtext/db/testing'
import { claimStoredJob, storeJob } from '../testing/index.ts'
import { endOwnJob } from './end-sql.ts'
import { listLaneLoads, listRecentRuns } from './pace-sql.ts'
import { releaseJob } from './release-sql.ts'

const { db } = useTestDatabase({ maxConnections: 2 })

const withModes = async (summary_modes: SummaryMode[]): Promise<string> => {
  const options = { summary_modes, max_transcript_length: 1, include_comments: false, generate_infographic: false }
  return (await storeJob(db, { options })).id
}
const complete = (jobId: string, ms: number, minutesAgo: number) =>
  db.query(
    `INSERT INTO results VALUES ($1, $2, 1, false, '', '{}', '{}', '{}', $3, now() - make_interval(mins => $4))`,
    [jobId, randomUUID(), ms, minutesAgo],
  )

test('lists the last hundred completed jobs, newest first, with their number of modes', async () => {
  expect(await listRecentRuns(db)).toEqual([])
  await complete(await withModes(['tldr', 'detailed']), 2_000, 2)
  await complete(await withModes(['tldr']), 1_000, 1)
  expect(await listRecentRuns(db)).toEqual([
    { processingMs: 1_000, modes: 1 },
    { processingMs: 2_000, modes: 2 },
  ])
  for (let index = 0; index < 100; index++) await complete(await withModes(['tldr']), 7, 0)
  expect((await listRecentRuns(db)).map((run) => run.processingMs)).toEqual(Array.from({ length: 100 }, () => 7))
})

test('lists the unfinished jobs of each lane', async () => {
  await db.query('DELETE FROM jobs')
  expect(await listLaneLoads(db)).toEqual([])
  const first = await storeJob(db)
  const second = await storeJob(db)
  await claimStoredJob(db)
  const { job } = await claimStoredJob(db, { lane: 'high' })
  const paused = await claimStoredJob(db)
  await releaseJob(db, paused.lease, { delaySeconds: 60, refund: true, waiting: true })
  const ended = await storeJob(db)
  await endOwnJob(db, ended.userId, ended.id, { status: 'failed', error: null, warnings: [], completedAt: new Date() })
  const acceptedAt = async (id: string) => (await db.prisma.job.findUniqueOrThrow({ where: { id } })).createdAt
  expect((await listLaneLoads(db)).sort((a, b) => a.running - b.running || a.waiting - b.waiting)).toEqual([
    { lane: 'high', waiting: 0, running: 1, oldestAt: null, newestAt: null },
    {
      lane: 'normal',
      waiting: 2,
      running: 1,
      oldestAt: await acceptedAt(first.id),
      newestAt: await acceptedAt(second.id),
    },
  ])
  expect(job.lane).toBe('high')
})
