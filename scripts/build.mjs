import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isFresh, readStamp, writeStamp } from './freshness.mjs'
import { generateClient } from './generate.mjs'

/** Brings `dist/` up to date with the sources; returns at once when it is. */
export async function ensureBuilt(root, say) {
  const stamp = readStamp(root)
  if (stamp && isFresh(root, stamp)) return
  generateClient(root, say)
  say('Building dist/')
  const began = performance.now()
  const { bundle } = await import('./bundle.mjs')
  const { inputs, outputs } = await bundle(root)
  // Programs that are still running may yet load a part of the build they were started from: it outlives one build.
  const superseded = (stamp?.outputs ?? []).filter((path) => !outputs.includes(path))
  for (const path of (stamp?.superseded ?? []).filter((path) => !outputs.includes(path))) {
    rmSync(join(root, 'dist', path), { force: true })
  }
  writeStamp(root, { inputs, outputs, superseded })
  say(`Built dist/ in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureBuilt(resolve(import.meta.dirname, '..'), (text) => process.stderr.write(`${text}\n`))
}
