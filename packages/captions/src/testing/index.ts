export * from './recordings.ts'
export * from './reported-cases.ts'
