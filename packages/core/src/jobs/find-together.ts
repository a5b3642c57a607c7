import type { Db } from '@subtext/db'
import DataLoader from 'dataloader'

const MAX_ROWS_PER_STATEMENT = 500

/** Finds something, such as a job of a user, or null if it does not exist or belongs to another user. */
type Find<Id, T> = (db: Db, id: Id) => Promise<T>

interface Finders<Id, T> {
  findMany: (db: Db, ids: readonly Id[]) => Promise<T[]>
  /** Finds a single item at lower cost. Default: `findMany`. */
  findOne?: Find<Id, T>
  maxRows?: number
}

/**
 * Returns a function that finds one item. Calls in the same turn of the event loop, such as those of requests that arrive
 * together, share one call of `findMany`.
 */
export function findTogether<Id, T>({
  findMany,
  findOne,
  maxRows = MAX_ROWS_PER_STATEMENT,
}: Finders<Id, T>): Find<Id, T> {
  const loaders = new WeakMap<Db, DataLoader<Id, T>>()
  const createLoader = (db: Db): DataLoader<Id, T> =>
    new DataLoader<Id, T>(
      async (ids) => {
        const [first, second] = ids
        return first && !second && findOne ? [await findOne(db, first)] : findMany(db, ids)
      },
      { cache: false, maxBatchSize: maxRows, batchScheduleFn: setImmediate },
    )
  return (db, id) => {
    const loader = loaders.get(db) ?? createLoader(db)
    loaders.set(db, loader)
    return loader.load(id)
  }
}
