export * from './env.ts'
export * from './logger.ts'
export * from './metrics.ts'
export * from './run-service.ts'
