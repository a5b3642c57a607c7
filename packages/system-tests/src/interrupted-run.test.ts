import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterEnv } from '@subtext/db/testing'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { listDescendants, selectRunning } from '@subtext/server/testing'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const CONFIG = ['--config', 'packages/system-tests/jest/endless.config.mjs']
/** Two test files, so that jest starts workers. One of them has apps and a server of its own that a signal has stopped. */
const FILES = 2

let run: ChildProcess
afterEach(() => run.kill('SIGKILL'))

test.each<[parent: string, signal: NodeJS.Signals, command: string, args: string[]]>([
  ['npm', 'SIGINT', 'npm', ['test', '--', ...CONFIG]],
  ['jest', 'SIGTERM', process.execPath, ['node_modules/jest/bin/jest.js', ...CONFIG]],
  ['jest', 'SIGKILL', process.execPath, ['node_modules/jest/bin/jest.js', ...CONFIG]],
])('a test run leaves no process behind when %s gets a %s', async (_parent, signal, command, args) => {
  run = spawn(command, args, {
    cwd: ROOT,
    env: { ...inheritedEnv(), ...clusterEnv() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  run.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  const ended = once(run, 'exit')
  await waitUntil('all test files are under way', () => said.split('started\n').length > FILES || run.exitCode !== null)
  expect([run.exitCode, run.exitCode === null ? '' : said]).toEqual([null, ''])
  const programs = listDescendants(run.pid ?? 0)
  const commands = programs.map((program) => program.command).join('\n')
  for (const expected of ['processChild.js', 'dist/api/main.js', 'dist/webhooks/main.js', 'postgres -D']) {
    expect(commands).toContain(expected)
  }

  run.kill(signal)
  await ended
  await waitUntil('no process is left', () => selectRunning(programs).length === 0)
})
