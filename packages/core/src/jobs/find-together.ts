import type { Db, OwnedId } from '@subtext/db'
import DataLoader from 'dataloader'

const MAX_ROWS_PER_STATEMENT = 500

/** Finds something of a user. Null: it does not exist or belongs to another user. */
type Find<T> = (db: Db, id: OwnedId) => Promise<T | null>

/**
 * Returns a function like `findOne`, calls of which in one turn of the event loop, such as by requests that arrive together,
 * share one call of `findMany`.
 */
export function findTogether<T>(
  findOne: Find<T>,
  findMany: (db: Db, ids: readonly OwnedId[]) => Promise<(T | null)[]>,
): Find<T> {
  const loaders = new WeakMap<Db, DataLoader<OwnedId, T | null>>()
  const createLoader = (db: Db): DataLoader<OwnedId, T | null> =>
    new DataLoader<OwnedId, T | null>(
      async (ids) => {
        const [first, second] = ids
        return first && !second ? [await findOne(db, first)] : findMany(db, ids)
      },
      { cache: false, maxBatchSize: MAX_ROWS_PER_STATEMENT, batchScheduleFn: setImmediate },
    )
  return (db, id) => {
    const loader = loaders.get(db) ?? createLoader(db)
    loaders.set(db, loader)
    return loader.load(id)
  }
}
