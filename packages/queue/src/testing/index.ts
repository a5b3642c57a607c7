export * from './count-tasks.ts'
export * from './drop-running-tasks.ts'
export * from './test-queue.ts'
