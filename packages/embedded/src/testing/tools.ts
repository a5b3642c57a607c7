import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandPath } from '../env.ts'
import { inheritedEnv } from './env.ts'

/** The folders where Debian installs servers, which are not on every user's PATH. */
const SYSTEM_DIRECTORIES = ['/usr/sbin', '/usr/local/sbin']

/** Returns the path of a program of the system, or undefined if it is not installed. */
export function findTool(name: string): string | undefined {
  const candidates = [...commandPath(), ...SYSTEM_DIRECTORIES].map((directory) => join(directory, name))
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Ends the program when standard input is closed, at the latest when this process exits. */
const KEEPER = '"$@" < /dev/null & pid=$!; cat > /dev/null; kill -TERM $pid; wait $pid'

export interface Tool {
  /** The folder for the files of the program; removed by `stop`. */
  readonly directory: string
  readLog(): Promise<string>
  stop(): Promise<void>
}

/** Starts a program of the system, such as a proxy, with the arguments that `args` returns for its directory. */
export async function startTool(
  name: string,
  args: (directory: string) => Promise<string[]> | string[],
  account: { uid?: number; gid?: number } = {},
): Promise<Tool> {
  const file = findTool(name)
  if (file === undefined) throw new Error(`${name} is not installed.`)
  const directory = await mkdtemp(join(tmpdir(), `subtext-${name}-`))
  await chmod(directory, 0o777)
  const logFile = join(directory, 'output.log')
  const log = openSync(logFile, 'a')
  const shell = spawn('/bin/sh', ['-c', KEEPER, 'sh', file, ...(await args(directory))], {
    cwd: directory,
    env: inheritedEnv(),
    detached: true,
    stdio: ['pipe', log, log],
    ...account,
  })
  closeSync(log)
  const ended = once(shell, 'exit')
  return {
    directory,
    readLog: () => readFile(logFile, 'utf8'),
    async stop() {
      shell.stdin?.end()
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
