export * from './test-queue.ts'
