import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const LOADER = new URL('../jest/typescript.mjs', import.meta.url).href
const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-service-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** Runs a service that reads a file, sends it SIGTERM once it runs, and returns its exit code and signal. */
async function run(file: string, whenRunning = ''): Promise<unknown[]> {
  const program = `
    import { readFile } from 'node:fs/promises'
    import { createLogger, runService } from '@subtext/runtime'
    await runService(async () => ({ log: createLogger('api', 'silent'), graceMs: 1_000, stop: async () => {} }))
    readFile(${JSON.stringify(file)})
    console.log('running')
    ${whenRunning}
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--import', LOADER, '--input-type=module', '--eval', program], {
    cwd: ROOT,
    env: inheritedEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    await once(child.stdout, 'data')
    if (whenRunning === '') child.kill('SIGTERM')
    return await ended
  } finally {
    child.kill('SIGKILL')
  }
}

test('a service that is told to stop exits with 0', async () => {
  const file = join(directory, 'file')
  await writeFile(file, 'content')
  expect(await run(file)).toEqual([0, null])
})

test.each([
  ['is told to stop', ''],
  ['crashes', `setTimeout(() => { throw new Error('broken') })`],
])('a service that %s ends although a file that it reads does not respond', async (_, whenRunning) => {
  const file = join(directory, 'pipe')
  execFileSync('mkfifo', [file])
  expect(await run(file, whenRunning)).toEqual([null, 'SIGKILL'])
})
