import { spawnSync } from 'node:child_process'

export interface RunningProgram {
  pid: number
  command: string
}

/** Returns the child processes of a process. */
export const listChildren = (parent: number): RunningProgram[] =>
  listPrograms().filter((program) => program.parent === parent)

/** Returns the child processes of a process, their children and so on. */
export function listDescendants(ancestor: number): RunningProgram[] {
  const programs = listPrograms()
  const familyOf = (parent: number): RunningProgram[] =>
    programs.filter((program) => program.parent === parent).flatMap((child) => [child, ...familyOf(child.pid)])
  return familyOf(ancestor)
}

/** Returns the programs that are still running. */
export function selectRunning(programs: RunningProgram[]): RunningProgram[] {
  const running = listPrograms()
  return programs.filter(({ pid, command }) => running.some((other) => other.pid === pid && other.command === command))
}

function listPrograms(): (RunningProgram & { parent: number })[] {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state = 'Z', ...command] = line.trim().split(/\s+/)
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command: command.join(' ') }]
  })
}
