export * from './client.ts'
export * from './invariants.ts'
export * from './test-system.ts'
export * from './wait-until.ts'
