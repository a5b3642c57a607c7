export * from './jobs.ts'
export * from './results.ts'
export * from './secret-key.ts'
export * from './webhooks.ts'
