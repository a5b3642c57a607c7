import type { Db, Sql } from '@subtext/db'

/** The process has been killed. */
export class Killed extends Error {}

/** A database of a process that is killed before its `left`-th statement, or just after a transaction that reaches it. */
export function mortalDb(db: Db, left: number): Db {
  let remaining = left
  const live = (): void => {
    if (--remaining < 0) throw new Killed()
  }
  const watch = (sql: Sql): Sql => ({
    query: async (text, values) => {
      live()
      return sql.query(text, values)
    },
  })
  return {
    ...watch(db),
    async transaction(work) {
      const result = await db.transaction((sql) => work(watch(sql)))
      live()
      return result
    },
    close: async () => {},
  }
}
