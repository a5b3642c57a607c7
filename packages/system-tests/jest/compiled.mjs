import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build, transform, version } from 'esbuild'

/** Holds the output for each source file and its map, for later runs. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/subtext-tests/', import.meta.url))

/**
 * How esbuild compiles the files. tsx has it wrap functions so that they keep their names. In code that makes many small
 * functions, that took more CPU than the code.
 */
const OPTIONS = {
  format: 'esm',
  target: 'node20.19',
  sourcemap: 'external',
  sourcesContent: false,
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx' } },
}

/** How esbuild joins the files of a library. */
const LIBRARY_OPTIONS = {
  format: OPTIONS.format,
  target: OPTIONS.target,
  bundle: true,
  packages: 'external',
  platform: 'node',
  write: false,
}

const SALT = `${version} ${JSON.stringify([OPTIONS, LIBRARY_OPTIONS])}`

const hash = (...parts) => {
  const digest = createHash('sha1')
  for (const part of parts) digest.update(part)
  return digest.digest('hex')
}
const placeOf = (path) => FOLDER + hash(path)

/** Returns the last line of the output and the map of this source: a comment that identifies their source. */
const markOf = (source) => `\n//${hash(SALT, source)}`

/** Compiles a file, unless its output already exists. */
export async function compile(path, loader) {
  const source = await readFile(path)
  return once(path, markOf(source), () => transform(source, { ...OPTIONS, loader, sourcefile: path }))
}

/** Entries of packages of many files, which take several times as long to load one by one as in one file. */
const LIBRARIES = [
  '/node_modules/youtubei.js/dist/src/platform/node.js',
  '/node_modules/@anthropic-ai/sdk/index.mjs',
  '/node_modules/oidc-provider/lib/index.js',
]

export const isLibrary = (path) => LIBRARIES.some((entry) => path.endsWith(entry))

/** Joins the files of a library, unless its output already exists. */
export async function joinLibrary(path) {
  const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(path)
  return once(path, markOf(await readFile(`${folder}package.json`)), async () => {
    const { outputFiles } = await build({ entryPoints: [path], ...LIBRARY_OPTIONS })
    return { code: outputFiles[0].text }
  })
}

/** Returns what `make` has once returned for a file with this mark. */
async function once(path, mark, make) {
  const place = placeOf(path)
  const kept = await readFile(`${place}.js`, 'utf8').catch(() => '')
  if (kept.endsWith(mark)) return kept
  const { code, map } = await make()
  // Where nothing can be written, everything is made again in every run.
  await Promise.all([map && keep(`${place}.map`, map + mark), keep(`${place}.js`, code + mark)]).catch(() => {})
  return code
}

/** Other workers may compile the same file at the same time. */
async function keep(path, content) {
  const unfinished = `${path}.${process.pid}`
  await mkdir(FOLDER, { recursive: true })
  await writeFile(unfinished, content)
  await rename(unfinished, path)
}

/** Returns the source map of a compiled file, or undefined if there is none for what is in the file now. */
export function readSourceMap(path) {
  try {
    const mark = markOf(readFileSync(path))
    const kept = readFileSync(`${placeOf(path)}.map`, 'utf8')
    return kept.endsWith(mark) ? JSON.parse(kept.slice(0, -mark.length)) : undefined
  } catch {
    return undefined
  }
}
