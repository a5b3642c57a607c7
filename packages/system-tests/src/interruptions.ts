import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterEnv } from '@subtext/db/testing'
import { inheritedEnv, waitUntil } from '@subtext/embedded/testing'
import { listDescendants, selectRunning } from '@subtext/testbed'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const CONFIG = ['--config', 'packages/system-tests/jest/endless.config.mjs']
/** Two test files, so that jest starts workers. One of them has apps and a server of its own that a signal has stopped. */
const FILES = 2

/** The commands that start a test run. */
const COMMANDS = {
  npm: { command: 'npm', args: ['test', '--', ...CONFIG] },
  jest: { command: process.execPath, args: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...CONFIG] },
}

/** Tests that a signal to a test run ends every process of it. Each case is a whole run. */
export function testInterruptions(cases: [parent: keyof typeof COMMANDS, signal: NodeJS.Signals][]): void {
  let run: ChildProcess
  afterEach(() => run.kill('SIGKILL'))

  test.each(cases)('a test run leaves no process behind when %s gets a %s', async (parent, signal) => {
    const { command, args } = COMMANDS[parent]
    run = spawn(command, args, {
      cwd: ROOT,
      env: { ...inheritedEnv(), ...clusterEnv(), ENDS_WITH_INPUT: 'true' },
      // The end of standard input ends the run if this process is interrupted itself.
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    let said = ''
    run.stderr?.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const ended = once(run, 'exit')
    await waitUntil(
      'all test files are under way',
      () => said.split('started\n').length > FILES || run.exitCode !== null,
    )
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
}
