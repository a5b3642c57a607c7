export type { UsageSums } from '@subtext/db'
export { createRequestCounter, type RequestCounter } from './count-requests.ts'
export { type AccountUsage, getCurrentUsage, type QuotaState } from './current.ts'
export { getUsageHistory, type UsageHistoryPage } from './history.ts'
