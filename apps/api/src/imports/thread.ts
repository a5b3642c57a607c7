import { parentPort } from 'node:worker_threads'
import { serveTasks } from '@subtext/runtime/threads'
import { TASKS, type Tasks } from './tasks.ts'

if (parentPort) await serveTasks<Tasks>(parentPort, TASKS)
