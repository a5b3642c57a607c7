import type { TaskName } from './tasks.ts'

/** What a thread is told. It asks for each of these by what it says, so at most one is under way. */
export type ToThread =
  | { kind: 'order'; task: TaskName; order: unknown }
  | { kind: 'input'; part: unknown }
  | { kind: 'no-more-input' }
  | { kind: 'taken' }

/** What a thread says, each time once it was told something. */
export type FromThread =
  | { kind: 'wants-input' }
  | { kind: 'output'; part: unknown }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; error: unknown }
