import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const SCRIPT = resolve(fileURLToPath(import.meta.url), '../check-packages.mjs')

const ARCHITECTURE = 'docs/contributing/architecture.md'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'subtext-packages-'))
  await printFromTurbo('')
  await mkdir(join(root, 'docs/contributing'), { recursive: true })
  await writeFile(join(root, ARCHITECTURE), '')
})
afterEach(() => rm(root, { recursive: true }))

/** Puts a program in place of Turbo that prints the text. */
async function printFromTurbo(line: string): Promise<void> {
  const turbo = join(root, 'node_modules/.bin/turbo')
  await mkdir(join(root, 'node_modules/.bin'), { recursive: true })
  await writeFile(turbo, `#!/bin/sh\necho '${line}' >&2\n`)
  await chmod(turbo, 0o755)
}

/** Adds a package that is described where it should be. */
async function addPackage(folder: string, manifest: object): Promise<void> {
  await mkdir(join(root, folder), { recursive: true })
  const name = `@subtext/${folder.split('/')[1]}`
  await writeFile(join(root, folder, 'package.json'), JSON.stringify({ name, ...manifest }))
  await writeFile(join(root, folder, 'README.md'), `# ${name}\n`)
  await appendFile(join(root, ARCHITECTURE), `| \`${folder}\` | a package |\n`)
}

async function check(): Promise<{ code: number; message: string }> {
  const child = spawn(process.execPath, [SCRIPT, root], { stdio: ['ignore', 'ignore', 'pipe'] })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { code, message }
}

test('accepts packages that depend on each other in one direction', async () => {
  await addPackage('packages/low', {})
  await addPackage('packages/middle', { dependencies: { '@subtext/low': '*', express: '5' } })
  await addPackage('apps/high', { dependencies: { '@subtext/middle': '*' }, devDependencies: { '@subtext/low': '*' } })
  expect(await check()).toEqual({ code: 0, message: '' })
})

test('refuses a circle of packages and prints it', async () => {
  await addPackage('packages/a', { dependencies: { '@subtext/b': '*' } })
  await addPackage('packages/b', { devDependencies: { '@subtext/c': '*' } })
  await addPackage('apps/c', { peerDependencies: { '@subtext/a': '*' } })
  const { code, message } = await check()
  expect(code).toBe(1)
  expect(message).toContain('@subtext/a -> @subtext/b -> @subtext/c -> @subtext/a')
})

test('refuses a package without a README, and one that the architecture page does not name', async () => {
  await addPackage('packages/silent', {})
  await rm(join(root, 'packages/silent/README.md'))
  await writeFile(join(root, ARCHITECTURE), '| `packages/silent-too` |\n')
  expect(await check()).toEqual({
    code: 1,
    message: `packages/silent has no README.md.\n${ARCHITECTURE} does not name packages/silent.\n`,
  })
})

test('refuses a package that depends on a leaf', async () => {
  await addPackage('packages/bench', {})
  await addPackage('packages/core', { devDependencies: { '@subtext/bench': '*' } })
  expect(await check()).toEqual({
    code: 1,
    message: expect.stringContaining('@subtext/core depends on @subtext/bench'),
  })
})

test('treats a warning from Turbo as an error', async () => {
  await printFromTurbo(' WARNING  Circular package dependency detected: a, b')
  expect(await check()).toEqual({
    code: 1,
    message: expect.stringContaining('Circular package dependency detected: a, b'),
  })
})
