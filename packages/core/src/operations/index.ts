export {
  type AccountList,
  type AccountListQuery,
  getOperatedAccount,
  listAccounts,
  type OperatedAccountOverview,
} from './accounts.ts'
export { type ActionList, type ActionListQuery, listActions } from './actions.ts'
export { type Operator, recordAction, type StoredAction } from './actions-sql.ts'
export { type LaneDemand, readDeliveryDemand, readLaneDemand } from './demand-sql.ts'
export {
  type AccountChanges,
  changeAccount,
  deleteOperatedAccount,
  restoreAccount,
  suspendAccount,
} from './operate.ts'
export { findAccountId, lockOperated } from './operate-sql.ts'
export type { StoredOperatedAccount } from './operations-sql.ts'
export { type OperationsOverview, readOperations } from './overview.ts'
export { setOperator } from './set-operator.ts'
export { refuseSuspended } from './suspended.ts'
