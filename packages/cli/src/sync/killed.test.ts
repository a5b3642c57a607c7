import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { useTestService } from '@subtext/sdk/testing'
import { archive, type TestDocument } from '../testing/export-service.ts'
import { useFolders } from '../testing/run-cli.ts'

const PACKAGE = join(import.meta.dirname, '..', '..')
const COUNT = 60

const makeFolder = useFolders()
const serve = useTestService()

/** A document that takes a while to write, so that an incomplete one shows. */
const build = (nth: number, version: number): TestDocument => ({
  videoId: `video-${nth}`,
  text: `version ${version} of ${nth}\n${'word '.repeat(10_000)}end`,
})
const buildAll = (version: number): TestDocument[] => Array.from({ length: COUNT }, (_, nth) => build(nth, version))

/** Bundles the program as it is published. */
async function bundle(folder: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const command = scripts.build.replace('--outdir=dist', `--outdir=${folder}`)
  const tools = join(PACKAGE, '..', '..', 'node_modules', '.bin')
  execFileSync('sh', ['-c', `export PATH="${tools}:$PATH"; ${command}`], { cwd: PACKAGE })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  return join(folder, 'main.js')
}

test('a program that is killed at any moment leaves whole files, and the next one goes on', async () => {
  const [folder, built] = [await makeFolder(), await makeFolder()]
  const program = await bundle(built)
  const service = await serve(archive(buildAll(1)))
  const env = { SUBTEXT_API_KEY: 'sk_x', SUBTEXT_API_BASE: service.url, TMPDIR: built }

  /** Runs the program and kills it some time after it has written so many files. Returns whether it came to its end. */
  async function run(files = Number.POSITIVE_INFINITY): Promise<boolean> {
    const child = spawn(process.execPath, [program, 'sync', folder], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const exit = once(child, 'exit')
    let written = 0
    child.stdout.setEncoding('utf8').on('data', async (text: string) => {
      const before = written
      written += text.split('\n').length - 1
      if (before >= files || written < files) return
      await sleep(Math.random() * 4)
      child.kill('SIGKILL')
    })
    return (await exit)[0] === 0
  }
  const list = async (): Promise<string[]> => (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')

  /** Kills the program again and again until all is written, and checks that no file is incomplete. */
  async function runToTheEnd(versions: number[]): Promise<number> {
    let kills = 0
    while (!(await run(5 + Math.floor(Math.random() * 15)))) {
      kills++
      for (const name of await list()) {
        const nth = Number(/^video-(\d+)(?: \(new\))?\.md$/.exec(name)?.[1])
        const whole = [...versions.map((version) => build(nth, version).text), 'Mine']
        expect([name, whole.includes(await read(name))]).toEqual([name, true])
      }
    }
    return kills
  }

  expect(await runToTheEnd([1])).toBeGreaterThan(2)
  expect(await list()).toHaveLength(COUNT)

  await writeFile(join(folder, 'video-0.md'), 'Mine')
  await rm(join(folder, 'video-1.md'))
  service.replyWith(archive(buildAll(2)))
  expect(await runToTheEnd([1, 2])).toBeGreaterThan(2)

  const names = await list()
  expect(names).toHaveLength(COUNT)
  expect(names.filter((name) => name.includes('new'))).toEqual(['video-0 (new).md'])
  expect([await read('video-0.md'), names.includes('video-1.md')]).toEqual(['Mine', false])
  for (const nth of [0, 2, COUNT - 1]) {
    expect(await read(nth === 0 ? 'video-0 (new).md' : `video-${nth}.md`)).toBe(build(nth, 2).text)
  }
  expect(await readdir(join(folder, '.subtext'))).toEqual(['sync.jsonl'])

  const modified = async () => (await stat(join(folder, '.subtext', 'sync.jsonl'))).mtimeMs
  const before = await modified()
  expect(await run()).toBe(true)
  expect([await modified(), await list()]).toEqual([before, names])
}, 120_000)
