import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const MODULE = new URL('./turbo.mjs', import.meta.url).href
const EVAL = `
  const { runTurbo } = await import(${JSON.stringify(MODULE)})
  await runTurbo(process.cwd(), ['build']).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })`

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-turbo-'))
  await mkdir(join(root, 'node_modules/turbo/bin'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true }))

/** Puts a program in place of Turbo. */
const useTurbo = (program: string) => writeFile(join(root, 'node_modules/turbo/bin/turbo'), program)

const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', EVAL], { cwd: root })

test('two processes that build at the same time build one after the other, and the second one says so', async () => {
  await useTurbo(`
    const { appendFileSync } = require('node:fs')
    appendFileSync('log', 'begin ')
    setTimeout(() => appendFileSync('log', 'end '), 1_000)`)
  const messages = (await Promise.all([run(), run()])).map(({ stderr }) => stderr)
  expect(messages.sort()).toEqual(['', 'waiting for another process that is building\n'])
  expect(await readFile(join(root, 'log'), 'utf8')).toBe('begin end begin end ')
})

test('takes over the lock of a process that was killed', async () => {
  await useTurbo('')
  await mkdir(join(root, 'dist.lock'))
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(join(root, 'dist.lock'), longAgo, longAgo)
  await run()
})

test('names the tasks that are not cached, and nothing else', async () => {
  await useTurbo(
    `console.log('a:build: cache hit, suppressing logs 1\\nb:build: cache miss, executing 2\\nb:build: x')`,
  )
  expect(await run()).toEqual({ stdout: '', stderr: 'building b:build\n' })
})

test('prints everything if a task fails, and releases the lock', async () => {
  await useTurbo(`console.log('b:build: no such file'); process.exit(3)`)
  for (let attempt = 0; attempt < 2; attempt++) await expect(run()).rejects.toThrow('b:build: no such file')
})
