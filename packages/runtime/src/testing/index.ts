export { measureGrowth } from './growth.ts'
