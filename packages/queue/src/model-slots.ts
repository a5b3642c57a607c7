import type { Metrics } from '@subtext/runtime'
import type { QueueOptions } from './connection.ts'
import { createSharedSlots, type SharedSlots, type SlotGroup } from './shared-slots.ts'

interface ModelSlotsOptions extends Pick<QueueOptions, 'url' | 'prefix'> {
  group: SlotGroup
  /** Maximum concurrent calls of all processes together. */
  maxCalls: number
}

/** Without Redis, a process cannot see the others and uses this share of the model calls that all of them may make. */
const SHARES_WITHOUT_REDIS: Record<SlotGroup, number> = { batch: 1 / 4, interactive: 1 / 16 }

/** Creates the gauges of the slots for calls of the language model. Returns a function that sets the slots. */
export function createModelSlotMetrics(metrics: Pick<Metrics, 'gauge'>): (slots: SharedSlots) => void {
  const calls = metrics.gauge(
    'subtext_model_slots',
    'Calls of the language model by this process that wait for a slot, or hold one because they are under way.',
    { state: ['waiting', 'held'] },
  )
  const limit = metrics.gauge(
    'subtext_model_slot_limit',
    'Calls of the language model that all processes together may make at the moment.',
    {},
  )
  return (slots) => {
    calls(async () => {
      const { waiting, held } = await slots.read()
      return [
        [{ state: 'waiting' }, waiting],
        [{ state: 'held' }, held],
      ]
    })
    limit(async () => [[{}, (await slots.read()).limit]])
  }
}

/** Creates the slots for calls of the language model, which all processes share by group. */
export const createModelSlots = ({ url, prefix, group, maxCalls }: ModelSlotsOptions): SharedSlots =>
  createSharedSlots({
    url,
    prefix,
    name: 'model',
    group,
    maxSlots: maxCalls,
    maxSlotsWithoutRedis: Math.max(1, Math.floor(maxCalls * SHARES_WITHOUT_REDIS[group])),
  })
