export { type AccountList, type AccountListQuery, listAccounts, type OperatedAccount } from './accounts.ts'
export { readDeliveryDemand, readLaneDemand } from './demand-sql.ts'
export { type OperationsOverview, readOperations } from './overview.ts'
export { setOperator } from './set-operator.ts'
