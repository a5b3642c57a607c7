import { isDatabaseUnavailable } from '@subtext/db'

/** Handles an item, in one batch with those of other callers. */
export type Batcher<Item, Outcome> = (item: Item) => Promise<Outcome>

export interface BatcherOptions<Item, Outcome> {
  /** Handles the items of a batch. Returns their outcomes in the same order; an error concerns its item only. */
  run: (items: Item[]) => Promise<readonly (Outcome | Error)[]>
  /** How long items gather for a batch. Default: until the current turn of the event loop ends. */
  gatherMs?: number
  /**
   * Maximum number of batches that run at once. Items that arrive meanwhile share the next one. Items of a refused batch are not
   * counted: they run as far as the pool has connections. Default: unlimited.
   */
  parallel?: number
  /** Maximum number of items in a batch. */
  max: number
}

interface Waiting<Item, Outcome> {
  item: Item
  resolve: (outcome: Outcome) => void
  reject: (error: unknown) => void
}

/**
 * Returns a function that handles items which arrive together in one batch: a statement costs about as much as ten further items
 * in it. If a batch is refused, each of its items is tried alone, so that only the one that caused the refusal fails. While the
 * database is unavailable, all of them fail, because trying again would not help.
 */
export function createBatcher<Item, Outcome>({
  run,
  gatherMs,
  parallel = Number.POSITIVE_INFINITY,
  max,
}: BatcherOptions<Item, Outcome>): Batcher<Item, Outcome> {
  type Batch = Waiting<Item, Outcome>[]
  const waiting: Batch = []
  let running = 0
  let isGathering = false

  const settle = async (batch: Batch): Promise<void> => {
    try {
      const outcomes = await run(batch.map(({ item }) => item))
      for (const [nth, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[nth]
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome as Outcome)
      }
    } catch (error) {
      if (batch.length === 1 || isDatabaseUnavailable(error)) for (const { reject } of batch) reject(error)
      else await Promise.all(batch.map((each) => settle([each])))
    }
  }
  const start = (): void => {
    while (waiting.length > 0 && running < parallel) {
      running++
      void settle(waiting.splice(0, max)).then(() => {
        running--
        if (!isGathering) start()
      })
    }
  }
  const endGathering = (): void => {
    isGathering = false
    start()
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (isGathering) return
      isGathering = true
      if (gatherMs === undefined) setImmediate(endGathering)
      else setTimeout(endGathering, gatherMs)
    })
}
