export * from './platform.ts'
export * from './source.ts'
