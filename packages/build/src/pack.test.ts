import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../../..')
const PACKAGES = ['sdk', 'langchain', 'cli', 'mcp']
const MAX_SDK_BYTES = 12 * 1_024

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'subtext-pack-'))
  mkdirSync(join(folder, 'packed'))
  const pack = ['pack', ...PACKAGES.flatMap((name) => ['--workspace', `@subtext/${name}`])]
  execFileSync('npm', [...pack, '--pack-destination', join(folder, 'packed')], { cwd: ROOT, stdio: 'pipe' })
  const tarballs = ['sdk', 'cli'].map((name) => join(folder, `packed/subtext-${name}-0.1.0.tgz`))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', ...tarballs], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const readManifest = (name: string) =>
  JSON.parse(readFileSync(join(folder, `node_modules/@subtext/${name}/package.json`), 'utf8'))
const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })

test('the client has no dependencies and at most 12 kB, compressed', () => {
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

test('the client can be required from its tarball', () => {
  const script =
    "const { Subtext, SubtextError } = require('@subtext/sdk'); try { new Subtext({ baseUrl: 'x' }) } catch (error) { console.log(error instanceof SubtextError) }"
  expect(node('--input-type=commonjs', '--eval', script)).toBe('true\n')
})

test('a bundle that only verifies webhooks contains little else', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { verifyWebhook } from '@subtext/sdk'", resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  const [bundle] = outputFiles
  expect(bundle?.text).not.toContain('/videos/')
  expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).toBeLessThan(MAX_SDK_BYTES / 4)
})

test('the packages contain nothing but the build, their description and the license', () => {
  for (const name of PACKAGES) {
    const names = execFileSync('tar', ['tzf', join(folder, `packed/subtext-${name}-0.1.0.tgz`)], { encoding: 'utf8' })
    for (const path of names.trim().split('\n')) {
      expect(path).toMatch(
        /^package\/(?:LICENSE|README\.md|package\.json|dist\/[\w/-]+(?:\.d\.ts|\.js|\.js\.LEGAL\.txt|\.js\.map|package\.json))$/,
      )
    }
  }
})

test('the package for LangChain contains the client, and has LangChain itself as a peer', () => {
  const read = (name: string): string =>
    execFileSync('tar', ['xzOf', join(folder, 'packed/subtext-langchain-0.1.0.tgz'), `package/${name}`], {
      encoding: 'utf8',
    })
  const manifest = JSON.parse(read('package.json'))
  expect([manifest.dependencies, Object.keys(manifest.peerDependencies)]).toEqual([undefined, ['@langchain/core']])
  for (const file of ['dist/index.js', 'dist/index.d.ts']) {
    const imported = [...read(file).matchAll(/ from ["']([^"']+)["']/g)].map(([, name]) => name)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((name) => !name?.startsWith('@langchain/core/'))).toEqual([])
  }
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
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023']
  writeFileSync(
    join(folder, 'sample.cts'),
    `import { Subtext, type Job } from '@subtext/sdk'
export const status = (id: string): Promise<Job> => new Subtext().videos.status(id)
`,
  )
  for (const module of ['nodenext', 'node16']) {
    node(tsc, 'sample.ts', 'sample.cts', ...options, '--module', module, '--types', '')
  }
})

test('the command line runs from its tarball', () => {
  expect(readManifest('cli').dependencies).toBeUndefined()
  const bin = join(folder, 'node_modules/.bin/subtext')
  expect(execFileSync(bin, ['--help'], { encoding: 'utf8' })).toContain('summarize [options] <url...>')
})
