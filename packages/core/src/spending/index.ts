export { findSpent, getSpending, type SpendingPolicy } from './admit.ts'
export { isSpendingRefusal, listCounters, type SpendingSubject } from './limits.ts'
export { createReserver, recordCharged, type SpendingSettings } from './reserve.ts'
export {
  chargeReservation,
  chargeShared,
  deleteOldSpending,
  SPENDING_SCOPES,
  type SpendingScope,
  type SpendingState,
} from './spending-sql.ts'
