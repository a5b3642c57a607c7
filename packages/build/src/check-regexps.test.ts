import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const SCRIPT = resolve(fileURLToPath(import.meta.url), '../check-regexps.mjs')
const FILE = 'packages/core/src/planted.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-regexps-'))
  await write('package.json', '{"type":"module"}')
})
afterEach(() => rm(root, { recursive: true }))

async function write(file: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), content)
}

async function check(): Promise<{ code: number; problems: string[] }> {
  const child = spawn(process.execPath, [SCRIPT, root], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, problems: message.split('\n').filter(Boolean) }
}

const LINEAR = [String.raw`/^\s*\w+$/`, String.raw`/(?<!\s)\s+$/u`, '/<[^<>]*>/g', '/a{1,3}b|c?d/']
const SLOW = [
  String.raw`/\s+$/`,
  String.raw`/^\s*\n\s*$/`,
  '/<!--[^]*-->/',
  String.raw`/\[[^\]]*\]/g`,
  '/(?:a+)+$/',
  '/foo.*bar|x/s',
  String.raw`/<(?=\s*\/?\s*(?:video|title)\b)/giu`,
]

test('accepts linear expressions, and reports each polynomial one with its file and line', async () => {
  const lines = [...LINEAR, ...SLOW].map((expression, index) => `export const x${index} = ${expression}`)
  await write(FILE, lines.join('\n'))
  const { code, problems } = await check()
  expect(code).toBe(1)
  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(
    SLOW.map((_, index) => `${FILE}:${LINEAR.length + index + 1}:`).sort(),
  )
})

test('checks the components of the dashboard, too', async () => {
  await write('apps/dashboard/src/Planted.tsx', String.raw`export const Line = () => <p>{'a'.replace(/\s+$/, '')}</p>`)
  const { code, problems } = await check()
  expect([code, problems.map((problem) => problem.split(' ')[0])]).toEqual([1, ['apps/dashboard/src/Planted.tsx:1:']])
})

test('checks expressions that are built when a module is loaded, with the line that builds them', async () => {
  await write(
    FILE,
    `interface Unused { text: string }
const build = (part: string): RegExp => new RegExp(part + '*$', 'u')
export const fine = build('^a')
export const slow = build('a')
export const called = RegExp('b' + '+$')
export const late = (part: string): RegExp => new RegExp(part + 'c')
`,
  )
  expect(await check()).toEqual({
    code: 1,
    problems: [
      `${FILE}:6: is built at run time, so it cannot be checked. Build it when the module is loaded.`,
      expect.stringContaining(`${FILE}:2: /a*$/u takes polynomial time`),
      expect.stringContaining(`${FILE}:5: /b+$/ takes polynomial time`),
    ],
  })
})

test('ignores tests and test helpers', async () => {
  for (const file of ['a.test.ts', 'testing/b.ts'])
    await write(`packages/core/src/${file}`, `export const x = ${SLOW[0]}\n`)
  expect(await check()).toEqual({ code: 0, problems: [] })
})

test('remembers only expressions that are linear', async () => {
  await write(FILE, `export const x = ${LINEAR[0]}\nexport const y = ${SLOW[0]}\n`)
  const first = await check()
  expect(first.problems).toHaveLength(1)
  expect(await check()).toEqual(first)
})
