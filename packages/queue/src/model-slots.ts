import type { Metrics } from '@subtext/runtime'
import type { QueueOptions } from './connection.ts'
import { createSharedSlots, type SharedSlots, type SlotGroup } from './shared-slots.ts'

interface ModelSlotsOptions extends Pick<QueueOptions, 'url' | 'prefix'> {
  group: SlotGroup
  /** Maximum concurrent calls of all processes together. */
  maxCalls: number
  /** Timeout of a call. */
  timeoutSeconds: number
}

/** Without Redis, a process cannot see the others and uses this share of the model calls that all of them may make. */
const SHARES_WITHOUT_REDIS: Record<SlotGroup, number> = { batch: 1 / 4, interactive: 1 / 16 }
/** A slot held for longer than its call and this time counts as that of a process that died. */
const SLOT_GRACE_MS = 60_000

/** Creates the slots for calls of the language model, which all processes share by group, with gauges of their use. */
export function createModelSlots(
  { url, prefix, group, maxCalls, timeoutSeconds }: ModelSlotsOptions,
  metrics: Pick<Metrics, 'gauge'>,
): SharedSlots {
  const slots = createSharedSlots({
    url,
    prefix,
    name: 'model',
    group,
    maxSlots: maxCalls,
    maxSlotsWithoutRedis: Math.max(1, Math.floor(maxCalls * SHARES_WITHOUT_REDIS[group])),
    maxHoldMs: timeoutSeconds * 1_000 + SLOT_GRACE_MS,
  })
  metrics.gauge('subtext_model_slots', 'Calls of the model that are waiting or running.', ['state'], async () => {
    const { waiting, held } = await slots.read()
    return [
      [{ state: 'waiting' }, waiting],
      [{ state: 'held' }, held],
    ]
  })
  metrics.gauge(
    'subtext_model_slot_limit',
    'Current limit on concurrent calls of the model by all processes.',
    [],
    async () => [[{}, (await slots.read()).limit]],
  )
  return slots
}
