import { setTimeout as sleep } from 'node:timers/promises'
import type { TestApi } from './api.ts'
import { completeTestJob } from './jobs.ts'

const POLL_INTERVAL_MS = 20

/**
 * Completes every job soon after it was accepted, so that requests that wait for a job get its result, until the API
 * closes.
 */
export function startTestWorker({ context, onClose }: Pick<TestApi, 'context' | 'onClose'>): void {
  let stopping = false
  const run = async (): Promise<void> => {
    while (!stopping) {
      const { rows } = await context.db.query<{ id: string }>("SELECT id FROM jobs WHERE status = 'queued' LIMIT 50")
      // Fails when a request has cancelled the job in the meantime.
      for (const { id } of rows) await completeTestJob(context, id).catch(() => {})
      await sleep(POLL_INTERVAL_MS)
    }
  }
  const running = run()
  onClose(async () => {
    stopping = true
    await running
  })
}
