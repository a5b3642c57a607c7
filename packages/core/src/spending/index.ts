export {
  findLimitIssues,
  findSpent,
  findSpentFor,
  getSpending,
  type SpendingContext,
  type SpendingPolicy,
} from './admit.ts'
export { isSpendingRefusal, listCounters, nameLimit, type SpendingSubject } from './limits.ts'
export { createReserver, recordCharged, type SpendingSettings } from './reserve.ts'
export {
  chargeReservation,
  chargeShared,
  SPENDING_SCOPES,
  type SpendingScope,
  type SpendingState,
} from './spending-sql.ts'
