import { createThreadPool, type PoolOptions, type ThreadPool } from '@subtext/runtime/threads'
import type { Tasks } from './tasks.ts'

export type Threads = ThreadPool<Tasks>

/** From the sources, the program takes a second of CPU to start; from the build, a tenth. */
const PROGRAM = new URL('./thread.mjs', import.meta.url)

/** Creates a pool of threads that read captions and write extractive summaries. */
export const openThreads = (options: Partial<PoolOptions> = {}): Threads =>
  createThreadPool<Tasks>({ program: PROGRAM, ...options })
