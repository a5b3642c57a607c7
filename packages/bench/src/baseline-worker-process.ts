import { Worker } from 'bullmq'
import pg from 'pg'
import { answerQuestions } from './child-process.ts'
import type { WorkOrder, WorkReport } from './worker-trial.ts'

let pool: pg.Pool | undefined

/** What one writes in ten minutes: mark it, do nothing, mark it. No lease, no steps, no result, no log. */
async function work(order: WorkOrder): Promise<WorkReport> {
  pool ??= new pg.Pool({ connectionString: order.databaseUrl, max: 10 })
  const db = pool
  const began = performance.now()
  let ended = 0
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const worker = new Worker(
    'jobs',
    async ({ data }) => {
      await db.query("UPDATE jobs SET status = 'processing', started_at = now() WHERE id = $1", [data.jobId])
      await db.query("UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = $1", [data.jobId])
      if (++ended === order.count) finish()
    },
    {
      connection: { url: order.redisUrl },
      prefix: order.prefix,
      concurrency: order.concurrency,
      removeOnComplete: { count: 0 },
    },
  )
  await finished
  const seconds = (performance.now() - began) / 1_000
  await worker.close()
  return { count: ended, seconds }
}

answerQuestions({ work })
