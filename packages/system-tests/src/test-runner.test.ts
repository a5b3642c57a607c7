import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inheritedEnv } from '@subtext/embedded/testing'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const COMMAND = ['node_modules/jest/bin/jest.js', '--config', 'packages/system-tests/jest/failing.config.mjs', '--json']

interface Report {
  testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
}

test('fails a test that leaves an error uncaught, in whichever file of a worker, and starts every file in a clean process', () => {
  const { stdout } = spawnSync(process.execPath, COMMAND, { cwd: ROOT, env: inheritedEnv(), encoding: 'utf8' })
  const results = (JSON.parse(stdout) as Report).testResults.flatMap((file) => file.assertionResults)
  const outcomes = results.map(({ title, status, failureMessages }) => [title, status, failureMessages.length])
  expect(outcomes.sort()).toEqual([
    ['finds a clean process', 'passed', 0],
    ['finds a clean process', 'passed', 0],
    ['leaves a rejection unhandled', 'failed', 1],
    ['throws where nothing catches', 'failed', 1],
  ])
})

test('loads a file that has only types, also when it is compiled for the first time', async () => {
  const file = resolve(ROOT, 'node_modules/.cache/only-types.ts')
  await writeFile(file, `/** ${randomUUID()} */\nexport type Name = string\n`)
  try {
    expect(Object.keys(await import(pathToFileURL(file).href))).toEqual([])
  } finally {
    await rm(file)
  }
})
