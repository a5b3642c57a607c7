export * from './consumer.ts'
export * from './producer.ts'
export * from './signals.ts'
