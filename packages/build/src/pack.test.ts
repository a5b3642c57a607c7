import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '../../..')
const MAX_SDK_BYTES = 8_192

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subtext-pack-'))
  execFileSync(process.execPath, [join(ROOT, 'packages/build/src/pack.mjs'), join(folder, 'packed')], { stdio: 'pipe' })
  const tarballs = ['sdk', 'cli'].map((name) => join(folder, `packed/subtext-${name}-0.1.0.tgz`))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', ...tarballs], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readManifest = (name: string) =>
  JSON.parse(readFileSync(join(folder, `node_modules/@subtext/${name}/package.json`), 'utf8'))
const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })

test('the client has no dependencies and at most 8 kB, compressed', () => {
  const manifest = readManifest('sdk')
  expect([manifest.dependencies, manifest.private]).toEqual([undefined, undefined])
  const bundle = readFileSync(join(folder, 'node_modules/@subtext/sdk/dist/index.js'))
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThan(MAX_SDK_BYTES)
})

test('the client can be imported from its tarball', () => {
  const script =
    "import { Subtext } from '@subtext/sdk'; console.log(typeof new Subtext({ apiKey: 'x' }).videos.process)"
  expect(node('--input-type=module', '--eval', script)).toBe('function\n')
})

test('the types of the client require a URL, and narrow results by their format', () => {
  writeFileSync(
    join(folder, 'sample.ts'),
    `import { Subtext } from '@subtext/sdk'
const { videos } = new Subtext()
// @ts-expect-error: there is no URL
void videos.submit({})
// @ts-expect-error: there is no such field
void videos.submit({ url: 'x', mode: 'tldr' })
const markdown = await videos.process({ url: 'x', options: { summary_modes: ['tldr'] } })
export const text: string = markdown.transcript.text
const structured = await videos.process({ url: 'x' }, { format: 'json' })
export const start: number | undefined = structured.transcript.segments[0]?.start
`,
  )
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  node(tsc, 'sample.ts', ...options, '--types', '')
})

test('the command line runs from its tarball', () => {
  expect(readManifest('cli').dependencies).toBeUndefined()
  const bin = join(folder, 'node_modules/.bin/subtext')
  expect(execFileSync(bin, ['--help'], { encoding: 'utf8' })).toContain('summarize [options] <url...>')
})
