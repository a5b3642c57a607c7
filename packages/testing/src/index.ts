export * from './test-database.ts'
export * from './test-servers.ts'
