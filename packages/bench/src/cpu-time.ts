import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Of the kernel's clock in /proc: USER_HZ is 100 on every platform of Node (proc_pid_stat(5), sysconf(3)). */
const TICK_MICROS = 10_000

interface ProcessTimes {
  parent: number
  ownMicros: number
  /** Of children that have ended and were waited for. */
  endedChildrenMicros: number
}

/** Fields of proc_pid_stat(5), counted from the one after the name, which may itself hold spaces and brackets. */
const FIELD = { parent: 1, user: 11, system: 12, childrenUser: 13, childrenSystem: 14 }

/** Null for a process that is gone. */
function readTimes(pid: number | string): ProcessTimes | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (field: number): number => Number(fields[field])
  return {
    parent: at(FIELD.parent),
    ownMicros: (at(FIELD.user) + at(FIELD.system)) * TICK_MICROS,
    endedChildrenMicros: (at(FIELD.childrenUser) + at(FIELD.childrenSystem)) * TICK_MICROS,
  }
}

export const canReadProcessorTime = (): boolean => existsSync('/proc/self/stat')

/** CPU microseconds that the process has used so far. */
export const readProcessMicros = (pid: number): number => readTimes(pid)?.ownMicros ?? 0

/** As `readProcessMicros`, with all children, those that have ended included: how Postgres works. */
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
