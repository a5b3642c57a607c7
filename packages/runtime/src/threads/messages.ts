/** Messages from the pool to a thread. Each of them answers a message of the thread, so at most one is in transit. */
export type ToThread =
  | { kind: 'start'; task: string; options: unknown }
  | { kind: 'input'; chunk: unknown }
  | { kind: 'end-of-input' }
  | { kind: 'output-taken' }

/** Messages from a thread to the pool, each in answer to a message. */
export type FromThread =
  | { kind: 'needs-input' }
  | { kind: 'output'; chunk: unknown }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; error: unknown }
