import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEAP_OPTIONS } from '@subtext/runtime'
import { validate } from 'dockerfile-utils'
import { ROOT } from '../paths.ts'
import { PROGRAMS } from '../settings.ts'
import { DOCKERFILE, describeImage } from './dockerfile.ts'

const image = describeImage(DOCKERFILE)

test('the Dockerfile has no mistake that a linter finds', () => {
  expect(validate(DOCKERFILE).map(({ message }) => message)).toEqual([])
})

test('the image holds the build and nothing else, and runs without root', () => {
  expect(image).toMatchObject({
    contents: ['LICENSE', 'dist', 'dist-dashboard'],
    user: '1000:1000',
    entrypoint: ['node'],
    command: ['dist/api/main.js'],
  })
  expect(image.base).toMatch(/^node:24-[\w.-]+$/)
})

test('processes of the image have the heap of those that npm start runs', () => {
  expect(image.env.NODE_OPTIONS).toBe(HEAP_OPTIONS)
})

test('the image keeps files in a folder that its user owns, where a volume can be mounted', () => {
  expect(image.env.BLOB_STORE_URL).toBe('file:///blobs')
  expect(DOCKERFILE).toContain('RUN install -d -o 1000 -g 1000 /blobs\n')
})

test('every program that the Dockerfile names is one of the image', () => {
  const named = [...DOCKERFILE.matchAll(/dist\/[\w/-]+\.js\b/g)].map(([path]) => path)
  expect([...new Set(named)].sort()).toEqual(Object.keys(PROGRAMS).sort())
  for (const path of named) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
})

test('the build context contains everything that the build reads, and neither data nor secrets', () => {
  const lines = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
  expect(lines).toContain('*')
  const allowed = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  for (const path of allowed) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
  expect(allowed.filter((path) => path.startsWith('.') || path === 'docker')).toEqual([])
  const sources = JSON.parse(readFileSync(join(ROOT, 'dist/sources.json'), 'utf8')) as object
  const { tasks } = JSON.parse(readFileSync(join(ROOT, 'turbo.json'), 'utf8').replace(/^ *\/\/ .*$/gm, '')) as {
    tasks: Record<string, { inputs?: string[] }>
  }
  const inputs = ['@subtext/build#build', '@subtext/db#generate'].flatMap((task) => tasks[task]?.inputs ?? [])
  const atTop = inputs.flatMap((input) => /^\$TURBO_ROOT\$\/([^/]+)/.exec(input)?.slice(1) ?? [])
  const read = new Set([
    ...Object.keys(sources).map((path) => path.split('/')[0]),
    ...atTop,
    'tsconfig.json',
    'turbo.json',
  ])
  expect([...read].filter((path) => path && !allowed.includes(path))).toEqual([])
})

test('the build records the files that it copies, so that the bill of materials covers their packages', () => {
  const { outputs } = JSON.parse(readFileSync(join(ROOT, 'dist/metafile.json'), 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
  }
  expect(outputs['dist/assets/CHANGELOG.md']?.inputs).toEqual({ 'CHANGELOG.md': { bytesInOutput: expect.any(Number) } })
})

test('the exporter of traces is loaded only where traces are recorded', () => {
  type Outputs = Record<string, { inputs: object; imports: { path: string; kind: string }[] }>
  const { outputs } = JSON.parse(readFileSync(join(ROOT, 'dist/metafile.json'), 'utf8')) as { outputs: Outputs }
  const holders = Object.keys(outputs).filter(
    (path) => 'packages/runtime/src/tracing/otlp.ts' in (outputs[path]?.inputs ?? {}),
  )
  const imports = Object.values(outputs).flatMap((output) =>
    output.imports.filter(({ path }) => holders.includes(path)),
  )
  expect(holders).toHaveLength(1)
  expect([...new Set(imports.map(({ kind }) => kind))]).toEqual(['dynamic-import'])
})

test('the bill of materials of the image lists what was bundled, and nothing else', async () => {
  const tool = join(ROOT, 'node_modules/.bin/cyclonedx-esbuild')
  const { stdout } = spawnSync(tool, ['--no-validate', 'dist/metafile.json'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  })
  const { components } = JSON.parse(stdout) as { components: { group?: string; name: string; version?: string }[] }
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name))
  expect(names).toEqual(expect.arrayContaining(['@prisma/client', 'bullmq', 'express', 'pg', 'zod']))
  for (const tool of ['esbuild', 'jest', 'prisma', 'turbo', 'typescript']) expect(names).not.toContain(tool)
  expect(components.filter(({ version }) => !version)).toEqual([])
})
