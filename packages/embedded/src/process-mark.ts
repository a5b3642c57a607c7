import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Identifies one process, even if a later process gets the same pid. */
export interface ProcessMark {
  readonly pid: number
  /** The start time of the process in a unit of the system, only for comparison. */
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

/** Returns the mark of a running process, or undefined if there is none or only a zombie. */
export function markProcess(pid: number): ProcessMark | undefined {
  const began = process.platform === 'linux' ? readStartFromProc(pid) : readStartFromPs(pid)
  return began === undefined ? undefined : { pid, began }
}

export function isRunning(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.began === mark.began
}

/** Counts the fields of proc_pid_stat(5) from the last ')': the name in parentheses may contain anything. */
function readStartFromProc(pid: number): string | undefined {
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

function readStartFromPs(pid: number): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  })
  const [state = 'Z', ...began] = status === 0 ? stdout.split(/\s+/).filter(Boolean) : []
  return state.startsWith('Z') || began.length === 0 ? undefined : began.join(' ')
}
