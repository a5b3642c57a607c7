export { at } from './at.ts'
export { fuzzRuns } from './env.ts'
export { measureAsyncGrowth, measureGrowth } from './growth.ts'
