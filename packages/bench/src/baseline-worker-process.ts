import { Worker } from 'bullmq'
import pg from 'pg'
import { handleCalls } from './child-process.ts'
import type { WorkOptions, WorkReport } from './worker-benchmarks.ts'

let pool: pg.Pool | undefined

/** A worker written in ten minutes: two status updates with no work between them. No lease, steps, result or log. */
async function work(options: WorkOptions): Promise<WorkReport> {
  pool ??= new pg.Pool({ connectionString: options.databaseUrl, max: 10 })
  const db = pool
  const startedAt = performance.now()
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
      if (++ended === options.count) finish()
    },
    {
      connection: { url: options.redisUrl },
      prefix: options.prefix,
      concurrency: options.concurrency,
      removeOnComplete: { count: 0 },
    },
  )
  await finished
  const seconds = (performance.now() - startedAt) / 1_000
  await worker.close()
  return { count: ended, seconds }
}

handleCalls({ work })
