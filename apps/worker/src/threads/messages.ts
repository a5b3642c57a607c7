import type { TaskName } from './tasks.ts'

/** What the pool sends to a thread. Each of these answers a message of the thread, so at most one is under way. */
export type ToThread =
  | { kind: 'start'; task: TaskName; options: unknown }
  | { kind: 'input'; chunk: unknown }
  | { kind: 'end-of-input' }
  | { kind: 'output-taken' }

/** What a thread sends to the pool, always in answer to a message. */
export type FromThread =
  | { kind: 'needs-input' }
  | { kind: 'output'; chunk: unknown }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; error: unknown }
