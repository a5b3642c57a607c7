import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiContext } from '../context.ts'
import { completeTestJob } from './jobs.ts'

const LOOK_EVERY_MS = 20

/** Completes every job soon after it was accepted, so that requests which wait for one get their answer. */
export function startTestWorker(ctx: ApiContext): () => Promise<void> {
  let stopping = false
  const run = async (): Promise<void> => {
    while (!stopping) {
      const { rows } = await ctx.db.query<{ id: string }>("SELECT id FROM jobs WHERE status = 'queued' LIMIT 50")
      // A caller may cancel a job meanwhile: then there is nothing to complete.
      for (const { id } of rows) await completeTestJob(ctx, id).catch(() => {})
      await sleep(LOOK_EVERY_MS)
    }
  }
  const running = run()
  return async () => {
    stopping = true
    await running
  }
}
