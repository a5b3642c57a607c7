import { setTimeout as sleep } from 'node:timers/promises'
import {
  deleteJobs,
  formatCount,
  formatLine,
  formatSpent,
  openQueue,
  type ScaleContext,
  type ScaleTrial,
  type Spent,
  spend,
  startWorkers,
  submitJobs,
  untilCompleted,
} from './trial.ts'

const WAITING = [0, 100, 1_000, 10_000, 100_000]
const SWEEPERS = 4
const WINDOW_MS = 15_000
const WARM_UP_MS = 5_000
const JOBS = 40

/**
 * What sweeps cost while jobs wait, over all workers, and what an urgent job costs then. The workers that sweep have no free
 * slots, so nothing takes the jobs that wait.
 */
export const backlogTrial: ScaleTrial = {
  name: 'backlog',
  async run(scale) {
    await setAutovacuum(scale, 'OFF')
    try {
      return await measureBacklogs(scale)
    } finally {
      await setAutovacuum(scale, 'DEFAULT')
    }
  },
}

/** In a window of seconds, autovacuum costs more than the sweeps do, and it comes when it likes: the trial vacuums itself. */
async function setAutovacuum({ testBed }: ScaleContext, value: 'OFF' | 'DEFAULT'): Promise<void> {
  await testBed.db.query(`ALTER SYSTEM SET autovacuum = ${value}`)
  await testBed.db.query('SELECT pg_reload_conf()')
}

async function measureBacklogs(scale: ScaleContext): Promise<string[]> {
  const lines = [`sweeps of ${SWEEPERS} workers while jobs wait; goal: 5 ms of CPU a second more than without them`]
  const queue = openQueue(scale)
  const { prefix } = queue
  const sweepers = await startWorkers(scale, SWEEPERS, { prefix, concurrency: 8, isFull: true })
  const workers = await startWorkers(scale, 1, { prefix, concurrency: 8, lanes: ['high'] })
  let idle: Spent | undefined
  let waiting = 0
  for (const size of WAITING) {
    scale.say(`${formatCount(size)} waiting jobs`)
    await submitJobs(scale, queue, size - waiting)
    waiting = size
    await scale.testBed.db.query('VACUUM ANALYZE')
    await scale.testBed.db.query('CHECKPOINT')
    await sleep(WARM_UP_MS)
    const swept = await spend(scale, sweepers, () => sleep(WINDOW_MS))
    const perSecond = (spent: Spent): number => spent.all / 1_000 / spent.seconds
    idle ??= swept
    await untilCompleted(scale, await submitJobs(scale, queue, JOBS, 'high'))
    const worked = await spend(scale, workers, async () =>
      untilCompleted(scale, await submitJobs(scale, queue, JOBS, 'high')),
    )
    const { rows } = await scale.testBed.db.query<{ jobs: number }>(
      `SELECT count(*)::int AS jobs FROM jobs WHERE status = 'queued' AND NOT held`,
    )
    if (rows[0]?.jobs !== size) throw new Error(`${rows[0]?.jobs} jobs wait instead of ${size}.`)
    lines.push(
      formatLine(
        `${formatCount(size)} waiting`,
        `sweeps ${perSecond(swept).toFixed(1)} ms/s, ${(perSecond(swept) - perSecond(idle)).toFixed(1)} more`,
        `${formatSpent(worked, JOBS)} of CPU per urgent job`,
      ),
    )
  }
  await Promise.all([...sweepers, ...workers].map((worker) => worker.stop()))
  await deleteJobs(scale)
  return lines
}
