import { fileURLToPath } from 'node:url'
import { compile } from './compiled.mjs'

/** Loads TypeScript for Node's `import`. */
export async function load(url, context, nextLoad) {
  const [, loader] = /^file:.*\.(tsx?)(?:\?.*)?$/.exec(url) ?? []
  if (loader === undefined) return nextLoad(url, context)
  return { format: 'module', source: await compile(fileURLToPath(url), loader), shortCircuit: true }
}
