export * from './check-connection.ts'
export {
  type Db,
  isDatabaseUnavailable,
  openDb,
  type Sql,
  type SqlResult,
  type StoredPlan,
  type Transactional,
} from './client.ts'
export * from './migrate.ts'
export * from './page.ts'
export type { DbOptions } from './pool.ts'
export type { DbMonitor, PoolUse } from './pool-monitor.ts'
