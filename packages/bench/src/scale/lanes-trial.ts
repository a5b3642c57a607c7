import { setTimeout as sleep } from 'node:timers/promises'
import { quartiles } from '../quartiles.ts'
import {
  deleteJobs,
  formatCount,
  formatLine,
  openQueue,
  type ScaleContext,
  type ScaleTrial,
  startWorkers,
  submitJobs,
  untilCompleted,
} from './trial.ts'

const NORMAL = 5_000
const URGENT = 40
const URGENT_EVERY_MS = 250
const FLOOD = 300
const CONCURRENCY = 8
const WAIT_MS = 250

const COUNT_STATES = `SELECT count(*) FILTER (WHERE status = 'queued')::int AS waiting,
  count(*) FILTER (WHERE status = 'completed')::int AS completed FROM jobs WHERE lane = 'normal'`

const LIST_WAITS = `SELECT (extract(epoch FROM started_at - created_at) * 1000)::float8 AS ms FROM jobs
  WHERE id = ANY ($1::uuid[]) ORDER BY ms`

/** How soon urgent jobs start behind a backlog, and what a flood of them leaves to normal ones. */
export const lanesTrial: ScaleTrial = {
  name: 'lanes',
  async run(scale) {
    const queue = openQueue(scale)
    await submitJobs(scale, queue, NORMAL)
    const { prefix } = queue
    const workers = await startWorkers(scale, 1, { prefix, concurrency: CONCURRENCY, waitMs: WAIT_MS })
    while ((await countNormal(scale)).completed < 2 * CONCURRENCY) await sleep(WAIT_MS)

    const urgent: string[] = []
    for (let nth = 0; nth < URGENT; nth++) {
      urgent.push(...(await submitJobs(scale, queue, 1, 'high')))
      await sleep(URGENT_EVERY_MS)
    }
    await untilCompleted(scale, urgent)
    const waits = (await scale.testBed.db.query<{ ms: number }>(LIST_WAITS, [urgent])).rows.map(({ ms }) => ms)
    const p95 = waits[Math.ceil(0.95 * waits.length) - 1] ?? Number.NaN

    const before = await countNormal(scale)
    await untilCompleted(scale, await submitJobs(scale, queue, FLOOD, 'high'))
    const after = await countNormal(scale)
    if (after.waiting < NORMAL / 10) throw new Error(`Only ${after.waiting} normal jobs were still waiting.`)
    const normal = after.completed - before.completed
    await Promise.all(workers.map((worker) => worker.stop()))
    await deleteJobs(scale)
    return [
      `urgent jobs behind ${formatCount(NORMAL)} normal ones, ${CONCURRENCY} slots; goals: p95 < 1 s, 25% to normal ones`,
      formatLine(
        'wait of an urgent job',
        `median ${quartiles(waits).median.toFixed(0)} ms`,
        `p95 ${p95.toFixed(0)} ms`,
      ),
      formatLine(
        `share of normal jobs during ${FLOOD} urgent ones`,
        `${((100 * normal) / (normal + FLOOD)).toFixed(0)}% of those completed`,
      ),
    ]
  },
}

async function countNormal({ testBed }: ScaleContext): Promise<{ waiting: number; completed: number }> {
  const { rows } = await testBed.db.query<{ waiting: number; completed: number }>(COUNT_STATES)
  return rows[0] ?? { waiting: 0, completed: 0 }
}
