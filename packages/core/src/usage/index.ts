export { APPEND_USAGE, foldUsageAdditions } from './additions-sql.ts'
export { getUsageBreakdown, type KeyUsageBreakdown } from './breakdown.ts'
export { buildUsage } from './build-usage.ts'
export { createRequestCounter, type RequestCounter } from './count-requests.ts'
export { type AccountUsage, getCurrentUsage, type QuotaState, type Quotas } from './current.ts'
export { foldUsage } from './fold.ts'
export { getUsageHistory, type UsageHistoryPage } from './history.ts'
export {
  type ChatUsage,
  type KeptBecause,
  keepUsedQuota,
  NO_JOB,
  recordChatUsage,
  recordDigestUsage,
  recordUsage,
  releaseQuota,
} from './ledgers-sql.ts'
export type { UsageSums } from './usage-sql.ts'
export { findQuotaUsage, type UsageOwner } from './usage-sql.ts'
