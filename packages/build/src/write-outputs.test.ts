import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { writeOutputs } = await import(new URL('./write-outputs.mjs', import.meta.url).href)

let target: string
beforeEach(async () => {
  target = await mkdtemp(join(tmpdir(), 'subtext-outputs-'))
  await writeFile(join(target, 'source.sql'), 'CREATE TABLE a ()')
})
afterEach(() => rm(target, { recursive: true }))

const chunk = (name: string): string => `chunks/${name}.js`

/** Writes a bundle with these chunks and copies; returns the chunks that are there then. */
async function write(chunks: string[], { copies = [] as string[], earlier = [] as string[] } = {}): Promise<string[]> {
  await writeOutputs(target, {
    outputs: chunks.map((name) => [chunk(name), name]),
    copies: copies.map((path) => [path, join(target, 'source.sql')]),
    assets: 'assets',
    earlier: new Set(earlier.map(chunk)),
  })
  return (await readdir(join(target, 'chunks'))).sort()
}

const makeOld = (name: string, hours: number): Promise<void> => {
  const time = new Date(Date.now() - hours * 3_600_000)
  return utimes(join(target, chunk(name)), time, time)
}

test('a migration that was renamed leaves neither a copy nor a folder under its old name', async () => {
  await write(['a'], { copies: ['assets/migrations/1_init/migration.sql'] })
  await write(['a'], { copies: ['assets/migrations/1_start/migration.sql'] })
  expect(await readdir(join(target, 'assets/migrations'))).toEqual(['1_start'])
})

test('chunks stay for an hour after they were replaced, so that programs started from them keep running', async () => {
  await write(['first'])
  await makeOld('first', 24)
  expect(await write(['second'], { earlier: ['first'] })).toEqual(['first.js', 'second.js'])
  expect(await write(['third'], { earlier: ['second'] })).toEqual(['first.js', 'second.js', 'third.js'])
  await makeOld('first', 2)
  expect(await write(['third'], { earlier: ['third'] })).toEqual(['second.js', 'third.js'])
})
