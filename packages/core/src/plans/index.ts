export { assertPdfIncluded } from './gates.ts'
export { planIncludes } from './plan-includes.ts'
export { setPlan } from './set-plan.ts'
