import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A clock tick in /proc: USER_HZ is 100 on every platform that Node supports (proc_pid_stat(5), sysconf(3)). */
const TICK_MICROS = 10_000

interface ProcessTimes {
  parent: number
  ownMicros: number
  /** CPU time of children that have exited and were waited for. */
  endedChildrenMicros: number
}

/** Fields of proc_pid_stat(5), counted from the one after the name, which may itself contain spaces and parentheses. */
const FIELD = { parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 }

/** Returns `null` for a process that does not exist. */
function readTimes(pid: number | string): ProcessTimes | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const read = (field: number): number => Number(fields[field])
  return {
    parent: read(FIELD.parent),
    ownMicros: (read(FIELD.user) + read(FIELD.system)) * TICK_MICROS,
    endedChildrenMicros: (read(FIELD.childrenUser) + read(FIELD.childrenSystem)) * TICK_MICROS,
  }
}

export const canReadCpuTime = (): boolean => existsSync('/proc/self/stat')

/** Returns the CPU time of the process so far, in microseconds. */
export const readProcessMicros = (pid: number): number => readTimes(pid)?.ownMicros ?? 0

/** Like `readProcessMicros`, including running and exited children, because Postgres works in child processes. */
export function readFamilyMicros(pid: number): number {
  const head = readTimes(pid)
  if (!head) return 0
  let sum = head.ownMicros + head.endedChildrenMicros
  for (const entry of readdirSync('/proc')) {
    const times = /^\d+$/.test(entry) ? readTimes(entry) : null
    if (times?.parent === pid) sum += times.ownMicros
  }
  return sum
}
