export * from './client.ts'
export * from './invariants.ts'
export * from './start-command.ts'
export * from './test-system.ts'
