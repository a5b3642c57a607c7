export * from './consumer.ts'
export * from './producer.ts'
export * from './request-limits.ts'
export * from './signals.ts'
