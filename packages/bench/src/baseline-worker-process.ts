import { Worker } from 'bullmq'
import pg from 'pg'
import { handleCalls } from './child-process.ts'
import type { WorkOptions } from './worker-benchmarks.ts'

let onEnd = (): void => {}

/** The floor: two status updates with no work between them. No lease, steps, result or log. */
async function start({ databaseUrl, redisUrl, prefix, concurrency }: WorkOptions): Promise<void> {
  const db = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const worker = new Worker(
    'jobs',
    async ({ data }) => {
      await db.query("UPDATE jobs SET status = 'processing', started_at = now() WHERE id = $1", [data.jobId])
      await db.query("UPDATE jobs SET status = 'completed', completed_at = now() WHERE id = $1", [data.jobId])
      onEnd()
    },
    { connection: { url: redisUrl }, prefix, concurrency, removeOnComplete: { count: 0 } },
  )
  await worker.waitUntilReady()
}

/** Resolves when this many more jobs have ended. */
function waitForCount(count: number): Promise<void> {
  let ended = 0
  return new Promise((resolve) => {
    onEnd = () => {
      if (++ended === count) resolve()
    }
  })
}

handleCalls({ start, waitForCount })
