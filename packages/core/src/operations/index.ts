export { type AccountList, type AccountListQuery, listAccounts, type StoredOperatedAccount } from './accounts.ts'
export { type LaneDemand, readDeliveryDemand, readLaneDemand } from './demand-sql.ts'
export { type OperationsOverview, readOperations } from './overview.ts'
export { setOperator } from './set-operator.ts'
