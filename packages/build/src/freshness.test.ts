import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const load = (name: string) => import(new URL(name, import.meta.url).href)
const { copyAsset } = await load('./bundle.mjs')
const { hasChanged, isFresh, readStamp, sortUnused, writeStamp } = await load('./freshness.mjs')

const BEFORE = new Date('2026-01-01')
const SOON = new Date('2126-01-01')
const INPUTS = ['source.ts', 'migrations']
const INSTALLED = 'node_modules/.package-lock.json'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-build-test-'))
  await put('source.ts', 'export {}')
  await put('migrations/1_init/migration.sql', 'CREATE TABLE a ()')
  await put('dist/main.js', '')
  await put(INSTALLED, '{"packages":{}}')
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, text: string, changed = BEFORE): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  await utimes(join(root, path), changed, changed)
}

const writeTestStamp = (): void =>
  writeStamp(root, 'dist', { inputs: INPUTS, outputs: ['main.js'], startedAt: Date.now() - 1_000 })
const isBuildFresh = (): boolean => isFresh(root, 'dist', readStamp(root, 'dist'))

test('a build stays fresh when a file is touched without a change', async () => {
  writeTestStamp()
  await put('source.ts', 'export {}', new Date('2026-02-02'))
  await put(INSTALLED, '{"packages":{}}', new Date('2026-02-02'))
  expect(isBuildFresh()).toBe(true)
})

test.each<[change: string, act: () => Promise<void>]>([
  ['a source file changes', () => put('source.ts', 'export default 1', SOON)],
  ['a source file is deleted', () => rm(join(root, 'source.ts'))],
  ['a migration is edited', () => put('migrations/1_init/migration.sql', 'CREATE TABLE b ()')],
  ['a migration is added', () => put('migrations/2_next/migration.sql', 'CREATE TABLE b ()')],
  ['other packages are installed', () => put(INSTALLED, '{"packages":{"node_modules/a":{}}}', SOON)],
  ['an output is missing', () => rm(join(root, 'dist/main.js'))],
])('a build is not fresh any more when %s', async (_change, act) => {
  writeTestStamp()
  expect(isBuildFresh()).toBe(true)
  await act()
  expect(isBuildFresh()).toBe(false)
})

test('a build is not fresh when a source file changed while it ran', async () => {
  await put('source.ts', 'export default 2', new Date())
  writeTestStamp()
  expect(isBuildFresh()).toBe(false)
})

test('only an input that is there and differs counts as changed, so that dist/ can run without the sources', async () => {
  writeTestStamp()
  await rm(join(root, 'source.ts'))
  expect(hasChanged(root, readStamp(root, 'dist'))).toBe(false)
  await put('source.ts', 'export default 1', SOON)
  expect(hasChanged(root, readStamp(root, 'dist'))).toBe(true)
})

test('installing fewer packages after the build changes no input, so that a production install runs the build', async () => {
  writeTestStamp()
  await put(INSTALLED, '{}', SOON)
  expect(hasChanged(root, readStamp(root, 'dist'))).toBe(false)
})

test('a migration that was renamed leaves no copy under its old name', async () => {
  await copyAsset(join(root, 'migrations'), join(root, 'dist/assets/migrations'))
  await rm(join(root, 'migrations/1_init'), { recursive: true })
  await put('migrations/1_start/migration.sql', 'CREATE TABLE a ()')
  await copyAsset(join(root, 'migrations'), join(root, 'dist/assets/migrations'))
  expect(await readdir(join(root, 'dist/assets/migrations'))).toEqual(['1_start'])
})

test('files of earlier builds stay for an hour, so that programs started from them keep running', () => {
  const [start, minute, hour] = [1_000_000, 60_000, 3_600_000]
  const second = sortUnused({ outputs: ['main.js', 'first.js'] }, ['main.js', 'second.js'], start)
  expect(second).toEqual({ unused: { 'first.js': start }, expired: [] })
  const third = sortUnused({ outputs: ['main.js', 'second.js'], unused: second.unused }, ['main.js'], start + minute)
  expect(third).toEqual({ unused: { 'first.js': start, 'second.js': start + minute }, expired: [] })
  const stamp = { outputs: ['main.js'], unused: third.unused }
  expect(sortUnused(stamp, ['main.js'], start + hour + 1)).toEqual({
    unused: { 'second.js': start + minute },
    expired: ['first.js'],
  })
  expect(sortUnused(stamp, ['main.js', 'first.js'], start + hour + 1)).toEqual({
    unused: { 'second.js': start + minute },
    expired: [],
  })
})
