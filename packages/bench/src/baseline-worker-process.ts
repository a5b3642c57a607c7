import { Worker } from 'bullmq'
import pg from 'pg'
import { handleCalls } from './child-process.ts'
import { createEndCounter } from './end-counter.ts'
import type { WorkOptions } from './worker-benchmarks.ts'

const { jobEnded, waitForCount } = createEndCounter()

/** The floor: two status updates with no work between them. No lease, steps, result or log. */
async function start({ databaseUrl, redisUrl, prefix, concurrency }: WorkOptions): Promise<void> {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const worker = new Worker(
    'jobs',
    async ({ data }) => {
      await db.query("UPDATE jobs SET status = 'processing', started_at = now() WHERE id = $1", [data.jobId])
      await db.query("UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = $1", [data.jobId])
      jobEnded()
    },
    { connection: { url: redisUrl }, prefix, concurrency, removeOnComplete: { count: 0 } },
  )
  await worker.waitUntilReady()
}

handleCalls({ start, waitForCount })
