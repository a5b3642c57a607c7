export { serveTasks } from './serve-tasks.ts'
export type { Task } from './tasks.ts'
export { createThreadPool, type PoolOptions, type ThreadPool, type ThreadWork } from './thread-pool.ts'
