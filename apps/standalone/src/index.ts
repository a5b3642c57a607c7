export * from './app-process.ts'
export * from './service.ts'
