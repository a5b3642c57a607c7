// Checks the dependencies between the package.json files, and generates code through Turbo. Part of `npm run check`.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from './root.mjs'

const FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
const LEAVES = ['@subtext/system-tests', '@subtext/bench', '@subtext/chaos', '@subtext/build', '@subtext/deployment']

const ARCHITECTURE = 'docs/contributing/architecture.md'

/** Returns the folders of the workspace packages, relative to the root. */
const listFolders = (root) =>
  ['packages', 'apps']
    .flatMap((parent) =>
      existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : [],
    )
    .filter((folder) => existsSync(join(root, folder, 'package.json')))

/** Returns the names of the workspace packages that each workspace package depends on, in any way. */
function readGraph(root) {
  const manifests = listFolders(root).map((folder) =>
    JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
  )
  const names = new Set(manifests.map(({ name }) => name))
  const needs = (manifest) =>
    FIELDS.flatMap((field) => Object.keys(manifest[field] ?? {})).filter((name) => names.has(name))
  return new Map(manifests.map((manifest) => [manifest.name, needs(manifest)]))
}

/** Returns one cycle as a path that ends where it begins, or undefined if there is none. */
function findCycle(graph) {
  const done = new Set()
  const visit = (name, path) => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return undefined
    for (const next of graph.get(name) ?? []) {
      const cycle = visit(next, [...path, name])
      if (cycle) return cycle
    }
    done.add(name)
    return undefined
  }
  for (const name of graph.keys()) {
    const cycle = visit(name, [])
    if (cycle) return cycle
  }
  return undefined
}

/** Finds packages that nothing describes. */
function findUndescribed(root) {
  const architecture = readFileSync(join(root, ARCHITECTURE), 'utf8')
  return listFolders(root).flatMap((folder) => [
    ...(existsSync(join(root, folder, 'README.md')) ? [] : [`${folder} has no README.md.`]),
    ...(architecture.includes(`\`${folder}\``) ? [] : [`${ARCHITECTURE} does not name ${folder}.`]),
  ])
}

function findProblems(root) {
  const graph = readGraph(root)
  const cycle = findCycle(graph)
  const dependents = [...graph].flatMap(([name, needs]) =>
    needs.filter((need) => LEAVES.includes(need)).map((leaf) => [name, leaf]),
  )
  return [
    ...(cycle ? [`Packages depend on each other in a circle: ${cycle.join(' -> ')}`] : []),
    ...findUndescribed(root),
    ...dependents.map(([name, leaf]) => `${name} depends on ${leaf}, which is a leaf: nothing may depend on it.`),
  ]
}

/** Runs Turbo, which also warns of circles between packages, and treats a warning as a problem. */
function generate(root) {
  const turbo = join(root, 'node_modules/.bin/turbo')
  const { status, stdout, stderr } = spawnSync(turbo, ['run', 'generate', '--output-logs=errors-only'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  })
  const output = `${stdout}${stderr}`
  const warnings = output.split('\n').filter((line) => /\bWARNING\b|circular|cyclic/i.test(line))
  if (status === 0) return warnings
  return [output]
}

const root = resolve(process.argv[2] ?? ROOT)
const problems = [...findProblems(root), ...generate(root)]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
