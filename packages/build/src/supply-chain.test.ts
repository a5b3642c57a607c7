import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { minVersion, satisfies } from 'semver'

interface LockedPackage {
  name?: string
  version: string
  link?: boolean
  integrity?: string
  hasInstallScript?: boolean
  optional?: boolean
  engines?: { node?: string }
}

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const lock = JSON.parse(read('package-lock.json')).packages as Record<string, LockedPackage>
const installed = Object.entries(lock).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const nameOf = ([path, { name }]: [string, LockedPackage]): string => name ?? path.split('node_modules/').at(-1) ?? ''

test('locks the content of every package that is installed', () => {
  expect(installed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([])
})

/** The documented versions of Node.js: the oldest one, and the newest of the other lines. */
const NODE_VERSIONS = ['20.19.0', '22.99.0', '24.99.0']

// npm warns of others. If such a package works anyway, as a test of ours shows, or is never loaded, delete its `engines` from
// package-lock.json: npm reads them nowhere else, and keeps the entry as it is until its version changes.
test('locks no package that asks for another Node.js than the documented ones', () => {
  const demanding = installed.filter(([, { optional, engines }]) => {
    const range = optional ? undefined : engines?.node
    return range !== undefined && !NODE_VERSIONS.every((version) => satisfies(version, range))
  })
  expect(demanding.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([])
  const { engines } = JSON.parse(read('package.json'))
  expect(minVersion(engines.node)?.version).toBe(NODE_VERSIONS[0])
})

test('names every package with an install script, allowed or not, and no other', () => {
  const named = Object.keys(JSON.parse(read('package.json')).allowScripts ?? {})
  const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript).map(nameOf)
  expect(named.sort()).toEqual([...new Set(scripted)].sort())
  expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m)
})

test('pins every action of the workflows to a commit, and says which version it is', () => {
  const folder = '.github/workflows'
  const uses = readdirSync(join(ROOT, folder)).flatMap((file) => read(join(folder, file)).match(/uses: .+/g) ?? [])
  expect(uses.length).toBeGreaterThan(0)
  for (const use of uses) expect(use).toMatch(/^uses: [\w-]+(?:\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
})

test('leaves out only dependencies that nothing loads', () => {
  const { overrides } = JSON.parse(read('package.json'))
  const replaced = Object.entries<Record<string, string> | string>(overrides).flatMap(([dependent, replacements]) =>
    Object.entries(typeof replacements === 'string' ? {} : replacements)
      .filter(([, version]) => version.startsWith('npm:'))
      .map(([name]) => ({ dependent, name })),
  )
  expect(replaced.length).toBeGreaterThan(0)
  for (const { dependent, name } of replaced) {
    const folder = join(ROOT, 'node_modules', dependent)
    const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.[cm]?js$/.test(file),
    )
    const loads = [`require("${name}`, `require('${name}`, `from "${name}`, `from '${name}`, `import("${name}`]
    const loaders = programs.filter((file) => {
      const text = read(join('node_modules', dependent, file))
      return loads.some((load) => text.includes(load))
    })
    expect({ dependent, name, programs: programs.length > 0, loaders }).toMatchObject({ programs: true, loaders: [] })
  }
})
