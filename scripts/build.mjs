// Brings `dist/` up to date with the sources: `npm run build`, and the first step of every program that scripts/run.mjs runs.
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasChanged, isFresh, readStamp, writeStamp } from './freshness.mjs'

/** What the build needs beside the packages that the service is made of. */
const BUILD_TOOLS = ['esbuild', 'prisma', '@prisma/client']

/** Returns at once when `dist/` is up to date, and runs it as it is where the tools to build it are not installed. */
export async function ensureBuilt(root, say) {
  const stamp = readStamp(root)
  if (stamp && isFresh(root, stamp)) return
  if (BUILD_TOOLS.every((name) => existsSync(join(root, 'node_modules', name)))) return build(root, stamp, say)
  if (existsSync(join(root, 'dist'))) {
    if (stamp && hasChanged(root, stamp))
      say('running dist/ as it is, although the sources have changed: run `npm ci && npm run build`')
    return
  }
  const { buildElsewhere } = await import('./build-elsewhere.mjs')
  buildElsewhere(root, say)
}

const remove = (path) => rmSync(path, { recursive: true, force: true })

async function build(root, stamp, say) {
  const [{ generateClient }, { bundle }] = await Promise.all([import('./generate.mjs'), import('./bundle.mjs')])
  const startedAt = Date.now()
  generateClient(root, say)
  say('building dist/ from the sources')
  const began = performance.now()
  const { inputs, outputs } = await bundle(root)
  // Programs that still run may load further parts of the build they were started from: it outlives the next build.
  const isUnused = (path) => !outputs.includes(path)
  for (const path of (stamp?.superseded ?? []).filter(isUnused)) remove(join(root, 'dist', path))
  writeStamp(root, { inputs, outputs, startedAt, superseded: (stamp?.outputs ?? []).filter(isUnused) })
  say(`built dist/ in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const print = (text) => process.stderr.write(`${text}\n`)
  await ensureBuilt(resolve(import.meta.dirname, '..'), print).catch((error) => {
    print(error.message)
    process.exitCode = 1
  })
}
