import type { WorkSettings } from '../context.ts'
import { openTestWorker, type TestWorker } from '../testing/worker.ts'
import { startSweeping } from './maintenance.ts'

let worker: TestWorker
beforeEach(async () => {
  worker = await openTestWorker()
})
afterEach(() => worker.close())

async function listLoops(retention: WorkSettings['retention']): Promise<string[]> {
  const loops = new Set<string>()
  worker.ctx.work = { ...worker.ctx.work, retention }
  const stop = startSweeping(
    worker.ctx,
    () => [],
    (loop) => loops.add(loop),
  )
  await stop()
  return [...loops].sort()
}

test('a worker purges unless it has no retention policy, and always deletes the files of deleted jobs', async () => {
  expect(await listLoops({ resultsDays: 0, cacheDays: 0, webhooksDays: 0 })).toEqual([
    'answers',
    'digests',
    'files',
    'fold',
    'leases',
    'library',
    'purge',
    'sweep',
    'wake',
  ])
  expect(await listLoops(null)).toEqual(['answers', 'digests', 'files', 'fold', 'leases', 'library', 'sweep', 'wake'])
})
