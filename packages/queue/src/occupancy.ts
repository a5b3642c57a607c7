import type { Lane } from '@subtext/contracts'
import { capacityOf, divideSlots, type LaneCapacity, normalSlots } from './lanes.ts'

/** Tracks which slots of a worker have a job. */
export interface Occupancy {
  /** Runs `work` in a slot of the lane. It receives the lane's capacity with this slot already counted. */
  occupy<T>(lane: Lane, work: (capacity: LaneCapacity) => Promise<T>): Promise<T>
  capacity(lane: Lane): LaneCapacity
  /** Resolves when all running work has ended. */
  settled(): Promise<void>
}

/** `onChange` receives the number of slots of the normal lane whenever it has changed. */
export function createOccupancy(
  concurrency: number,
  lanes: readonly Lane[],
  onChange: (slots: number) => void,
): Occupancy {
  const slots = divideSlots(concurrency, lanes)
  const active: Record<Lane, Set<Promise<void>>> = { high: new Set(), normal: new Set() }
  const slotsOf = (lane: Lane): number => (lane === 'high' ? slots.high : normalSlots(slots, active.high.size))
  const capacity = (lane: Lane): LaneCapacity => capacityOf(slotsOf(lane), active[lane].size)
  const change = (apply: () => void): void => {
    const before = slotsOf('normal')
    apply()
    const after = slotsOf('normal')
    if (after !== before) onChange(after)
  }

  return {
    async occupy(lane, work) {
      let end = (): void => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      change(() => active[lane].add(ended))
      try {
        return await work(capacity(lane))
      } finally {
        change(() => active[lane].delete(ended))
        end()
      }
    },
    capacity,
    async settled() {
      await Promise.all([...active.high, ...active.normal])
    },
  }
}
