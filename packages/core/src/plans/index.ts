export { setPlan } from './set-plan.ts'
