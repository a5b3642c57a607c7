export type { OperatedAccount } from '@subtext/db'
export { type AccountList, type AccountListQuery, listAccounts } from './accounts.ts'
export { type OperationsOverview, readOperations } from './overview.ts'
export { setOperator } from './set-operator.ts'
