import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A clock tick in /proc: USER_HZ is 100 on every platform that Node supports (proc_pid_stat(5), sysconf(3)). */
const TICK_MICROS = 10_000

/** Fields of proc_pid_stat(5), counted from the one after the name, which may itself contain spaces and parentheses. */
const FIELD = { parent: 1, childrenUser: 13, childrenSystem: 14 }

/** Returns null if the process or thread has ended meanwhile. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

export const canReadCpuTime = (): boolean => existsSync('/proc/self/schedstat')

/**
 * Returns the CPU time that the threads of the process have used so far, in microseconds. The scheduler counts nanoseconds,
 * while the usual clock of a process counts in ticks of 10 ms. 0: the process does not exist.
 */
export function readProcessMicros(pid: number | string): number {
  let nanos = 0
  for (const thread of list(`/proc/${pid}/task`)) {
    nanos += Number(read(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[0] ?? 0)
  }
  return nanos / 1_000
}

/**
 * Works like `readProcessMicros`, including running and exited children, because Postgres works in child processes. The time
 * of exited ones is only known in ticks.
 */
export function readFamilyMicros(pid: number): number {
  const fieldsOf = (process: number | string): number[] => {
    const text = read(`/proc/${process}/stat`)
    return text === null
      ? []
      : text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number)
  }
  const own = fieldsOf(pid)
  const ended = ((own[FIELD.childrenUser] ?? 0) + (own[FIELD.childrenSystem] ?? 0)) * TICK_MICROS
  const children = list('/proc').filter((entry) => /^\d+$/.test(entry) && fieldsOf(entry)[FIELD.parent] === pid)
  return [pid, ...children].reduce<number>((sum, process) => sum + readProcessMicros(process), ended)
}
