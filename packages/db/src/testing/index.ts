export * from './own-servers.ts'
export * from './test-database.ts'
export * from './test-servers.ts'
