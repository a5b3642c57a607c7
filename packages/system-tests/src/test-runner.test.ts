import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { jest } from '@jest/globals'
import { inheritedEnv } from '@subtext/embedded/testing'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js']

test('a test run reports the coverage of the sources that it loads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'subtext-coverage-'))
  try {
    const options = ['--coverage', '--coverageReporters=json-summary', `--coverageDirectory=${folder}`]
    const args = [...JEST, ...options, 'packages/render/src/heading-slug']
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, env: inheritedEnv() })
    const summary = JSON.parse(await readFile(join(folder, 'coverage-summary.json'), 'utf8'))
    expect(summary[join(ROOT, 'packages/render/src/heading-slug.ts')]).toMatchObject({ lines: { pct: 100 } })
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a test can replace a module', async () => {
  jest.unstable_mockModule('@subtext/fakes', () => ({ SAMPLE_TALKS: {} }))
  expect({ ...(await import('@subtext/fakes')) }).toEqual({ SAMPLE_TALKS: {} })
})
