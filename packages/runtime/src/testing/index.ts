export { fuzzRuns } from './env.ts'
export { measureGrowth } from './growth.ts'
