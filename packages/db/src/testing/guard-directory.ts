import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Waits for the end of standard input, ends the servers whose marks are in the directory ($0) or one level below
 * it, and removes the directory. An owner that stopped its servers has removed their marks.
 */
const GUARD = `
trap '' INT TERM HUP
cat > /dev/null
for mark in "$0"/server.pid "$0"/*/server.pid; do
  [ -f "$mark" ] || continue
  pid=$(sed -n 's/.*"pid":\\([0-9]*\\).*/\\1/p' "$mark")
  # A stopped process handles no other signal until it continues.
  kill -QUIT "$pid" && kill -CONT "$pid"
  for _ in $(seq 200); do kill -0 "$pid" && sleep 0.05 || break; done
done
rm -rf "$0"
`

export interface DirectoryGuard {
  /** Removes the directory. Its servers must have been stopped. */
  close(): Promise<void>
}

/**
 * Makes sure that a directory and the embedded servers in it do not outlive this process, even if it is killed: a shell
 * at the other end of a pipe sees the pipe close and removes both.
 */
export function guardDirectory(directory: string): DirectoryGuard {
  const shell = spawn('/bin/sh', ['-c', GUARD, directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(shell, 'exit')
  shell.unref()
  return {
    async close() {
      shell.ref()
      shell.stdin.end()
      await ended
    },
  }
}
