import { fileURLToPath } from 'node:url'
import { compile, isLibrary, joinLibrary } from './compiled.mjs'

/** Loads TypeScript, and large libraries, for Node's `import`. */
export async function load(url, context, nextLoad) {
  const source = url.startsWith('file:') ? await read(fileURLToPath(url)) : undefined
  // A file that has only types is empty when it is compiled.
  return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
}

function read(path) {
  const [, loader] = /\.(tsx?)$/.exec(path) ?? []
  if (loader) return compile(path, loader)
  if (isLibrary(path)) return joinLibrary(path)
}
