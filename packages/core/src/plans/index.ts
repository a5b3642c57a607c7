export { assertPdfIncluded, hasSubscriptions } from './gates.ts'
export { planQuotas } from './plan-quotas.ts'
export { type QuotaContext, quotaPeriods } from './quota.ts'
export { openQuotaPeriods, type QuotaPeriods } from './quota-sql.ts'
