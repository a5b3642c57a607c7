export * from './recordings.ts'
