export { assertPdfIncluded } from './gates.ts'
export type { QuotaContext } from './quota.ts'
export { openQuotaPeriods, type QuotaPeriods } from './quota-sql.ts'
