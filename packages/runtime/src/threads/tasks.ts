/** The types of a task. Input and output are sent in chunks, so that copying them blocks neither thread. */
export interface TaskTypes {
  options: unknown
  input: unknown
  output: unknown
  result: unknown
}

/** The types of the tasks of a pool, by name. */
export type TaskMap<T> = { [N in keyof T]: TaskTypes }

/** Does a task in a thread. */
export type Task<T extends TaskTypes> = (
  options: T['options'],
  input: AsyncIterable<T['input']>,
  output: (chunk: T['output']) => Promise<void>,
) => Promise<T['result']>

export type TasksOf<T extends TaskMap<T>> = { [N in keyof T]: Task<T[N]> }
