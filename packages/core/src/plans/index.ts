export { assertPdfIncluded } from './gates.ts'
export { setPlan } from './set-plan.ts'
