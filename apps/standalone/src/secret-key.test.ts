import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyRing } from '@subtext/runtime'
import { keepSecretKey, readSecretKey } from './secret-key.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'subtext-key-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

test('creates one key for all concurrent and later callers, which only its owner can read', async () => {
  expect(await readSecretKey(directory)).toBeNull()
  const given = await Promise.all(Array.from({ length: 20 }, () => keepSecretKey(directory)))
  expect(new Set(given).size).toBe(1)
  expect(keyRing.parse(given[0])[0].key).toHaveLength(32)
  expect(await keepSecretKey(directory)).toBe(given[0])
  expect(await readSecretKey(directory)).toBe(given[0])
  const [file, ...others] = await readdir(directory)
  expect(others).toEqual([])
  expect((await stat(join(directory, file ?? ''))).mode & 0o777).toBe(0o600)
})

test('creates the directory if it does not exist', async () => {
  const inner = join(directory, 'a', 'b')
  expect(await keepSecretKey(inner)).toBe(await readSecretKey(inner))
})
