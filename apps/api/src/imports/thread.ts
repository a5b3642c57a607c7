import { parentPort } from 'node:worker_threads'
import { serveTasks } from '@subtext/runtime/threads'
import { type ReadingTasks, TASKS } from './tasks.ts'

if (parentPort) await serveTasks<ReadingTasks>(parentPort, TASKS)
