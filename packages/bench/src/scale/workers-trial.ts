import { at } from '@subtext/runtime'
import {
  deleteJobs,
  formatLine,
  formatSpent,
  openQueue,
  type ScaleTrial,
  type Spent,
  spend,
  startWorkers,
  submitJobs,
  untilCompleted,
} from './trial.ts'

const COUNTS = [1, 2, 4]
const CONCURRENCY = 4
/** Long enough that slots and not the CPU limit how many jobs a worker does. */
const WAIT_MS = 500
const JOBS_PER_WORKER = 24
const ROUNDS = 3

/** How the rate grows with the number of workers, and the CPU time of a job with it. */
export const workersTrial: ScaleTrial = {
  name: 'workers',
  async run(scale) {
    const lines = [`1 to 4 workers with ${CONCURRENCY} slots, jobs that wait for ${WAIT_MS} ms; goal: 0.9 of linear`]
    let single = 0
    for (const count of COUNTS) {
      const queue = openQueue(scale)
      const { prefix } = queue
      const workers = await startWorkers(scale, count, { prefix, concurrency: CONCURRENCY, waitMs: WAIT_MS })
      const jobs = JOBS_PER_WORKER * count
      const work = async () => untilCompleted(scale, await submitJobs(scale, queue, jobs))
      await work()
      const rounds: Spent[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await spend(scale, workers, work))
      const spent = at(
        rounds.toSorted((one, other) => one.seconds - other.seconds),
        Math.floor(ROUNDS / 2),
      )
      const perSecond = jobs / spent.seconds
      if (count === 1) single = perSecond
      lines.push(
        formatLine(
          `${count} ${count === 1 ? 'worker' : 'workers'}`,
          `${perSecond.toFixed(1)} jobs/s`,
          `${(perSecond / count / single).toFixed(2)} of linear`,
          `${formatSpent(spent, jobs)} of CPU per job`,
        ),
      )
      await Promise.all(workers.map((worker) => worker.stop()))
      await deleteJobs(scale)
    }
    return lines
  },
}
