import { createInterruptibleSleep, type InterruptibleSleep } from '@subtext/core/coordination'
import { type ClaimedDelivery, claimDueDeliveries, sealStoredSecrets } from '@subtext/core/webhooks'
import { createMetrics, type Metrics } from '@subtext/runtime'
import { createContext, type Timing, type WebhooksContext } from './context.ts'
import type { WebhooksEnv } from './env.ts'
import { deliver } from './processors/deliver.ts'
import { createSlots, type Slots } from './slots.ts'

export interface RunningDeliverer {
  /** Starts no further attempt and lets those under way end. */
  stop(): Promise<void>
}

interface DelivererOptions extends Timing {
  metrics?: Metrics
}

export function startDeliverer(
  env: WebhooksEnv,
  { metrics = createMetrics(), ...timing }: DelivererOptions = {},
): RunningDeliverer {
  const { context, close } = createContext(env, metrics, timing)
  const pause = createInterruptibleSleep()
  let stopping = false
  const running = deliverUntil(context, pause, () => stopping)
  // Nothing waits for it: what cannot be sealed now is sealed at the next start.
  const sealing = sealStoredSecrets(context).catch((error: Error) =>
    context.log.warn('webhook secrets not sealed', { error: error.message }),
  )
  return {
    async stop() {
      stopping = true
      pause.wake()
      await Promise.all([running, sealing])
      await close()
    },
  }
}

/** Takes what is due whenever there is room and a reason to look: a signal, a free slot, or time. */
async function deliverUntil(ctx: WebhooksContext, pause: InterruptibleSleep, isStopping: () => boolean): Promise<void> {
  const active = new Set<Promise<void>>()
  const slots = createSlots({ ...ctx.slotTerms, onFree: pause.wake })
  const stopListening = ctx.signals.listen('delivery', pause.wake)
  while (!isStopping()) {
    const { deliveries, more } = await claim(ctx, slots)
    for (const delivery of deliveries) {
      const attempt = attemptIn(slots, ctx, delivery)
        .then((retryInSeconds) => wakeIn(pause, retryInSeconds))
        .finally(() => active.delete(attempt))
      active.add(attempt)
    }
    if (more) pause.wake()
    await pause.wait(ctx.lookAgainMs)
  }
  stopListening()
  await Promise.all(active)
}

/** A look around is exact enough for longer pauses than these. */
const LONGEST_ALARM_SECONDS = 60
/** The database begins to count a moment before we do, and timers may be early by one. */
const ALARM_MARGIN_MS = 2

function wakeIn({ wake }: InterruptibleSleep, seconds: number | null): void {
  if (seconds !== null && seconds <= LONGEST_ALARM_SECONDS) setTimeout(wake, seconds * 1_000 + ALARM_MARGIN_MS).unref()
}

async function attemptIn(slots: Slots, ctx: WebhooksContext, delivery: ClaimedDelivery): Promise<number | null> {
  const leave = slots.take(delivery)
  try {
    return await deliver(ctx, delivery)
  } catch (error) {
    ctx.log.error('attempt not settled', { delivery_id: delivery.id, error })
    return null
  } finally {
    leave()
  }
}

interface Claimed {
  deliveries: ClaimedDelivery[]
  more: boolean
}
const NOTHING: Claimed = { deliveries: [], more: false }

async function claim(ctx: WebhooksContext, slots: Slots): Promise<Claimed> {
  const capacity = slots.capacity()
  if (capacity.all.slots <= 0 || capacity.all.bytes <= 0) return NOTHING
  try {
    const { deliveries, skipped, more } = await claimDueDeliveries(ctx, { ...ctx.claimTerms, capacity })
    if (skipped > 0) ctx.log.info('deliveries of disabled endpoints set aside', { count: skipped })
    return { deliveries, more }
  } catch (error) {
    ctx.log.warn('no deliveries claimed', { error: (error as Error).message })
    return NOTHING
  }
}
