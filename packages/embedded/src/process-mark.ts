import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Names one process for good: a pid alone is given to another process some day. */
export interface ProcessMark {
  readonly pid: number
  /** When the process began, in whatever unit the system tells it; to compare only. */
  readonly began: string
}

export function parseProcessMark(text: string): ProcessMark | null {
  try {
    const { pid, began } = JSON.parse(text)
    return Number.isSafeInteger(pid) && pid > 0 && typeof began === 'string' ? { pid, began } : null
  } catch {
    return null
  }
}

/** The mark of a living process; undefined when there is none, or only a zombie that nobody has waited for. */
export function markProcess(pid: number): ProcessMark | undefined {
  const began = process.platform === 'linux' ? beganByProc(pid) : beganByPs(pid)
  return began === undefined ? undefined : { pid, began }
}

export function isRunning(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.began === mark.began
}

/** proc_pid_stat(5): the name in parentheses may hold anything, so fields are counted from the last ')'. */
function beganByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, ticksSinceBoot] = [fields[0], fields[19]]
    if (state === 'Z' || state === 'X') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticksSinceBoot}`
  } catch {
    return undefined
  }
}

function beganByPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  const [, state, began] = status === 0 ? (/^\s*(\S+)\s+(.+?)\s*$/.exec(stdout) ?? []) : []
  return state?.startsWith('Z') ? undefined : began
}
