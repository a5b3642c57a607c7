import { setTimeout as sleep } from 'node:timers/promises'
import { createInterruptibleSleep, type InterruptibleSleep } from '@subtext/core/coordination'
import { type ClaimedDelivery, claimDueDeliveries, readSigningSecrets, sealStoredSecrets } from '@subtext/core/webhooks'
import { createHealth, createMetrics, endsWithin, type Health, type LoopWatch, watchLoops } from '@subtext/runtime'
import { createContext, type Tuning, type WebhooksContext } from './context.ts'
import type { WebhooksEnv } from './env.ts'
import { createWebhooksMetrics, type WebhooksMetrics } from './metrics.ts'
import { type DeliverOptions, deliver } from './processors/deliver.ts'
import { createSlots, type DeliveryPlace, type Slots } from './slots.ts'

export interface RunningDeliverer {
  health: Health
  /** Claims no further deliveries, and gives the attempts at those claimed the grace period to end. */
  stop(): Promise<void>
}

export interface DelivererOptions extends Tuning {
  metrics?: WebhooksMetrics
}

export function startDeliverer(
  env: WebhooksEnv,
  { metrics = createWebhooksMetrics(createMetrics()), ...tuning }: DelivererOptions = {},
): RunningDeliverer {
  const { context, close } = createContext(env, metrics, tuning)
  const pause = createInterruptibleSleep()
  const stop: StopSignals = { claiming: new AbortController(), settling: new AbortController() }
  const loops = watchLoops([CLAIMING])
  const { claiming, settled } = startDelivering(context, pause, stop, loops)
  // Nothing depends on it. Secrets that cannot be encrypted now are encrypted at the next start.
  const sealing = sealStoredSecrets(context).catch((error: Error) =>
    context.log.warn('could not encrypt stored webhook secrets', { error: error.message }),
  )
  const health = createHealth({
    log: context.log,
    required: { postgres: () => context.db.query('SELECT 1') },
    // Without notifications, deliveries are found by polling.
    optional: { redis: context.notifier.checkConnection },
    draining: stop.claiming.signal,
    loops,
  })
  metrics.process.observe(env.SUBTEXT_VERSION, health)
  return {
    health,
    async stop() {
      stop.claiming.abort()
      pause.wake()
      // A claim that waits for the database may be cut off: what it has claimed becomes due again.
      await endsWithin(CLAIM_TIMEOUT_MS, Promise.all([claiming, sealing]))
      await endsWithin(env.SHUTDOWN_GRACE_SECONDS * 1_000, settled())
      stop.settling.abort()
      await endsWithin(SETTLE_TIMEOUT_MS, settled())
      await close()
    },
  }
}

const CLAIMING = 'claim'
/** Deliveries that become due and attempts that end within this time share a claim. */
const GATHER_MS = 10
/** These limits let the process end in time even if the database does not respond. */
const CLAIM_TIMEOUT_MS = 1_000
const SETTLE_TIMEOUT_MS = 3_000

/** Signals that end the claims and, later, the attempts to record outcomes while the database is unavailable. */
type StopSignals = Record<'claiming' | 'settling', AbortController>

interface Delivering {
  /** Resolves when no more deliveries are claimed. */
  claiming: Promise<void>
  /** Resolves when no attempt is in progress. */
  settled(): Promise<void>
}

/** Claims due deliveries while there is capacity, after a notification, when an attempt has ended, and at each poll interval. */
function startDelivering(
  ctx: WebhooksContext,
  pause: InterruptibleSleep,
  stop: StopSignals,
  loops: LoopWatch,
): Delivering {
  const active = new Set<Promise<void>>()
  const slots = createSlots({ ...ctx.slotOptions, onFree: pause.wake })
  ctx.metrics.observeSlots(slots.use)
  const dueWatch = createDueWatch()
  const wakeIn = (seconds: number | null): void => {
    if (seconds === null || seconds > MAX_TIMER_SECONDS) return
    const wake = (): void => {
      dueWatch.expect()
      pause.wake()
    }
    setTimeout(wake, seconds * 1_000 + TIMER_MARGIN_MS).unref()
  }
  const claimUntilStopped = async (): Promise<void> => {
    const stopListening = ctx.notifier.subscribe('delivery', pause.wake)
    while (!stop.claiming.signal.aborted) {
      const beginBy = performance.now() + ctx.beginWithinMs
      const { deliveries, more } = await claim(ctx, slots, dueWatch)
      const findSecrets = readSigningSecrets(
        ctx,
        deliveries.map(({ userId }) => userId),
      )
      for (const delivery of deliveries) {
        const place = slots.take(delivery)
        const attempt = attemptIn(place, ctx, delivery, { findSecrets, beginBy, stopping: stop.settling.signal })
          .then(wakeIn)
          .finally(() => active.delete(attempt))
        active.add(attempt)
      }
      if (more) {
        dueWatch.expect()
        pause.wake()
      }
      loops.completed(CLAIMING)
      await pause.wait(ctx.pollIntervalMs)
      await sleep(GATHER_MS)
    }
    stopListening()
  }
  return {
    claiming: claimUntilStopped(),
    async settled() {
      while (active.size > 0) await Promise.all(active)
    },
  }
}

/** For longer pauses, polling is precise enough. */
const MAX_TIMER_SECONDS = 60
/** The database's clock started a moment earlier than the timer, and a timer can fire one millisecond early. */
const TIMER_MARGIN_MS = 2

/** Between two looks for deliveries that have become due by the passing of time, such as later attempts of other processes. */
const DUE_INTERVAL_MS = 250

interface DueWatch {
  /** Returns whether to look for them now. */
  isTime(): boolean
  /** Makes the next look due at once, because a delivery may be due. */
  expect(): void
}

function createDueWatch(): DueWatch {
  let nextAt = 0
  return {
    isTime() {
      const now = performance.now()
      if (now < nextAt) return false
      nextAt = now + DUE_INTERVAL_MS
      return true
    },
    expect() {
      nextAt = 0
    },
  }
}

async function attemptIn(
  place: DeliveryPlace,
  ctx: WebhooksContext,
  delivery: ClaimedDelivery,
  options: Omit<DeliverOptions, 'onEnd'>,
): Promise<number | null> {
  try {
    await place.waitForSlot()
    return await deliver(ctx, delivery, { ...options, onEnd: place.attemptEnded })
  } finally {
    place.leave()
  }
}

interface Claimed {
  deliveries: ClaimedDelivery[]
  more: boolean
}
const NOTHING: Claimed = { deliveries: [], more: false }

async function claim(ctx: WebhooksContext, slots: Slots, dueWatch: DueWatch): Promise<Claimed> {
  const capacity = slots.capacity()
  if (capacity.all.slots <= 0 || capacity.all.bytes <= 0) return NOTHING
  slots.claimBegins()
  try {
    const options = { ...ctx.claimOptions, capacity, queueDue: dueWatch.isTime(), takeOver: ctx.outage.isOver() }
    const { deliveries, skipped, more } = await claimDueDeliveries(ctx, options)
    ctx.outage.note(null)
    ctx.metrics.deliveries.ended('skipped', skipped)
    if (skipped > 0) ctx.log.info('skipped deliveries of disabled endpoints', { count: skipped })
    return { deliveries, more }
  } catch (error) {
    dueWatch.expect()
    ctx.outage.note(error)
    ctx.log.warn('could not claim deliveries', { error: error instanceof Error ? error.message : String(error) })
    return NOTHING
  }
}
