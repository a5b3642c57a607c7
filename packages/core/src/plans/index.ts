export { assertPdfIncluded } from './gates.ts'
export { openQuotaPeriods, type QuotaPeriods } from './quota-sql.ts'
export { setPlan } from './set-plan.ts'
