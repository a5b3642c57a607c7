import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

/** Lets a process of Node.js import TypeScript. */
const LOADER = 'tsx/esm'
const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')

let directory: string
let child: ChildProcess | undefined
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-service-'))
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await rm(directory, { recursive: true })
})

/** Runs a program as the first process of a namespace, such as that of a container. It ends together with its parent. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const hasContainers = spawnSync('unshare', [...CONTAINER.slice(1), 'true']).status === 0
/** Older versions of Node.js can only kill a process that uses a file. */
const canBeReplaced = 'execve' in process

const STOP = `process.kill(process.pid, 'SIGTERM')`
const CRASH = `throw new Error('broken')`

/** Runs a service, and code in it once it runs. Returns how the process ended. */
async function run(code: string, prefix: string[] = []): Promise<{ code: number | null; signal: string | null }> {
  const program = `
    import { readFile } from 'node:fs/promises'
    import { createLogger, runService } from '@subtext/runtime'
    await runService(async () => ({ log: createLogger('api', 'silent'), graceMs: 1_000, stop: async () => {} }))
    setInterval(() => {}, 1_000)
    ${code}`
  const node = [process.execPath, '--import', LOADER, '--input-type=module', '--eval', program]
  const [command = '', ...args] = [...prefix, ...node]
  child = spawn(command, args, { cwd: ROOT, env: inheritedEnv(), stdio: 'inherit' })
  const [exitCode, signal] = await once(child, 'exit')
  return { code: exitCode, signal }
}

/** Returns the path of a file, as source code, that does not respond. */
function stopResponding(): string {
  const file = join(directory, 'pipe')
  execFileSync('mkfifo', [file])
  return JSON.stringify(file)
}

test('a service that is told to stop exits with 0', async () => {
  const file = join(directory, 'file')
  await writeFile(file, 'content')
  expect(await run(`await readFile(${JSON.stringify(file)}); ${STOP}`)).toEqual({ code: 0, signal: null })
})

test.each([
  ['is told to stop', STOP, 0],
  ['crashes', CRASH, 1],
])('a service that %s ends although a file that it reads does not respond', async (_, end, code) => {
  const program = `readFile(${stopResponding()}); ${end}`
  expect(await run(program)).toEqual(canBeReplaced ? { code, signal: null } : { code: null, signal: 'SIGKILL' })
})

const testContainer = hasContainers && canBeReplaced ? test : test.skip
testContainer('the first process of a container ends although a file that it reads does not respond', async () => {
  expect(await run(`readFile(${stopResponding()}); ${STOP}`, CONTAINER)).toEqual({ code: 0, signal: null })
})
