import { claimDueDeliveries, createWaker, type Waker } from '@subtext/core'
import { createContext, type WebhooksContext } from './context.ts'
import type { WebhooksEnv } from './env.ts'
import { deliver } from './processors/deliver.ts'

/** Longer than an attempt can take: a delivery whose process died becomes due again after it. */
const LEASE_SECONDS = 30
/** How long a lost signal can delay a delivery. */
const LOOK_AGAIN_MS = 1_000

export interface RunningDeliverer {
  /** Starts no further attempt and lets those under way end. */
  stop(): Promise<void>
}

export function startDeliverer(env: WebhooksEnv): RunningDeliverer {
  const { context, close } = createContext(env)
  const waker = createWaker()
  let stopping = false
  const running = deliverUntil(context, waker, () => stopping)
  return {
    async stop() {
      stopping = true
      waker.wake()
      await running
      await close()
    },
  }
}

/** Takes what is due whenever there is a free slot and a reason to look: a signal, a finished attempt, or time. */
async function deliverUntil(ctx: WebhooksContext, waker: Waker, isStopping: () => boolean): Promise<void> {
  const active = new Set<Promise<void>>()
  const stopListening = ctx.signals.listen('delivery', waker.wake)
  while (!isStopping()) {
    for (const delivery of await claimFree(ctx, ctx.concurrency - active.size)) {
      const attempt = deliver(ctx, delivery)
        .catch((error: unknown) => ctx.log.error('attempt not settled', { delivery_id: delivery.id, error }))
        .finally(() => {
          active.delete(attempt)
          waker.wake()
        })
      active.add(attempt)
    }
    await waker.wait(LOOK_AGAIN_MS)
  }
  stopListening()
  await Promise.all(active)
}

async function claimFree(ctx: WebhooksContext, free: number) {
  if (free <= 0) return []
  try {
    return await claimDueDeliveries(ctx, free, LEASE_SECONDS)
  } catch (error) {
    ctx.log.warn('no deliveries claimed', { error: (error as Error).message })
    return []
  }
}
