import { quartiles } from '../quartiles.ts'
import {
  deleteJobs,
  formatCount,
  formatLine,
  openQueue,
  type ScaleTrial,
  spend,
  startWorkers,
  submitJobs,
  untilCompleted,
} from './trial.ts'

const FINISHED = [10_000, 100_000, 1_000_000]
const ROUNDS = 5
const JOBS = 40

// Of a thousand accounts.
const SEED = `
INSERT INTO jobs (id, user_id, status, lane, priority, video_id, options, progress, step, wake_at, created_at, updated_at,
  started_at, completed_at)
SELECT ('0190' || lpad(to_hex(n), 8, '0') || '-7000-8000-000000000000')::uuid, md5((n % 1000)::text)::uuid, 'completed',
  'normal', 'normal', 'dQw4w9WgXcQ', '{}', 100, 'completed', now(), now(), now(), now(), now()
FROM generate_series($1::int, $2::int) AS n`

/** What a job costs after many have finished. Their rows are in the table of jobs; they have no results. */
export const finishedTrial: ScaleTrial = {
  name: 'finished',
  async run(scale) {
    const lines = ['a job after many have finished; goal: the same CPU']
    const queue = openQueue(scale)
    const workers = await startWorkers(scale, 1, { prefix: queue.prefix, concurrency: 8 })
    const work = async () => untilCompleted(scale, await submitJobs(scale, queue, JOBS))
    let seeded = 0
    let first = Number.NaN
    for (const size of FINISHED) {
      scale.say(`${formatCount(size)} finished jobs`)
      await scale.testBed.db.query(SEED, [seeded + 1, size])
      seeded = size
      await scale.testBed.db.query('VACUUM ANALYZE jobs')
      await work()
      const millis: number[] = []
      for (let round = 0; round < ROUNDS; round++) millis.push((await spend(scale, workers, work)).all / JOBS / 1_000)
      const { low, median, high } = quartiles(millis)
      if (Number.isNaN(first)) first = median
      lines.push(
        formatLine(
          `${formatCount(size)} finished`,
          `${median.toFixed(2)} [${low.toFixed(2)}-${high.toFixed(2)}] ms of CPU per job`,
          `${(median / first).toFixed(2)} of the first`,
        ),
      )
    }
    await Promise.all(workers.map((worker) => worker.stop()))
    await deleteJobs(scale)
    return lines
  },
}
