// Runs after `npm ci`. npm cannot install a part of a package, and three quarters of the packages of fonts are weights that no
// document uses: 240 MB.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './root.mjs'

const SCOPE = '@expo-google-fonts'

/** Deletes the weights of fonts that the renderer of documents does not load. Returns their folders. */
export function dropUnusedFonts(root) {
  const folder = join(root, 'node_modules', SCOPE)
  if (!existsSync(folder)) return []
  const engine = readFileSync(join(root, 'packages/documents/src/engine.mjs'), 'utf8')
  const used = new Set(Array.from(engine.matchAll(/@expo-google-fonts\/([\w-]+\/\w+)\//g), ([, weight]) => weight))
  const unused = readdirSync(folder).flatMap((font) =>
    readdirSync(join(folder, font), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !used.has(`${font}/${entry.name}`))
      .map(({ name }) => `${font}/${name}`),
  )
  for (const weight of unused) rmSync(join(folder, weight), { recursive: true })
  return unused
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '.')).href) dropUnusedFonts(ROOT)
