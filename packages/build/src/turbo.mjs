// Runs tasks of Turbo while no other process does: `node turbo.mjs build`.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { print } from './root.mjs'
import { runCommand } from './run-command.mjs'

const POLL_INTERVAL_MS = 100

/**
 * Runs tasks while no other process does, because Turbo lets two processes write the same files. Prints a line for each task
 * that is not cached. Throws the error of the file system if `root` cannot be written.
 */
export async function runTurbo(root, tasks) {
  const release = await takeLock(root)
  try {
    const turbo = join(root, 'node_modules/turbo/bin/turbo')
    const args = [turbo, 'run', ...tasks, '--output-logs=new-only', '--log-order=stream', '--log-prefix=task']
    const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
    await runCommand(process.execPath, args, { cwd: root, env, onLine: reportStart })
  } finally {
    await release()
  }
}

async function takeLock(root) {
  for (let isFirst = true; ; isFirst = false) {
    try {
      // A lock that was not refreshed for ten seconds is taken over.
      return await lock(root, { lockfilePath: join(root, 'dist.lock'), onCompromised: ({ message }) => print(message) })
    } catch (error) {
      if (error.code !== 'ELOCKED') throw error
    }
    if (isFirst) print('waiting for another process that is building')
    await sleep(POLL_INTERVAL_MS)
  }
}

function reportStart(line) {
  const [, task] = /^(.+): cache (?:miss|bypass), /.exec(line) ?? []
  if (task) print(`building ${task}`)
}
