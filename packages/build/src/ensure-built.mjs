import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasChanged, isFresh, readStamp, sortUnused, writeStamp } from './freshness.mjs'
import { generateClient, hasClient } from './generate-client.mjs'
import { withLock } from './lock.mjs'
import { DASHBOARD } from './programs.mjs'

/** The tools that the build needs, besides the packages of the service. */
const BUILD_TOOLS = ['esbuild', '@prisma/client-generator-ts', '@prisma/client']
/** The error codes of a folder that cannot be written. */
const READ_ONLY = ['EROFS', 'EACCES', 'EPERM']

/**
 * Brings one of the folders in `BUILDS` up to date; the first step of every program that run.mjs runs. Returns at once if it
 * is. Leaves it as it is if it cannot be built: without the tools, or in a read-only folder. Without the tools and without a
 * build, it builds in a temporary folder, unless it must build `here`.
 */
export async function ensureBuilt(root, say, folder, { here = false } = {}) {
  if (isUpToDate(root, folder)) return
  const exists = existsSync(join(root, folder))
  const hasTools = BUILD_TOOLS.every((name) => isInstalled(root, name))
  if (exists && !hasTools) {
    const stamp = readStamp(root, folder)
    if (stamp && hasChanged(root, stamp))
      say(`running ${folder}/ as it is, although the sources have changed: run \`npm ci && npm run build\``)
    return
  }
  try {
    await withLock(root, say, async () => {
      // Another process may have built it in the meantime.
      if (isUpToDate(root, folder) || (!hasTools && existsSync(join(root, folder)))) return
      if (hasTools) await build(root, say, folder)
      else if (here) throw new Error(`The build needs ${BUILD_TOOLS.join(', ')}. Run \`npm ci\` first.`)
      else await (await import('./build-elsewhere.mjs')).buildElsewhere(root, say, folder)
    })
  } catch (error) {
    if (!exists || !READ_ONLY.includes(error.code)) throw error
    say(`running ${folder}/ as it is, which is older than the sources: ${error.message}`)
  }
}

/** npm may install a package in the workspace that needs it. */
const isInstalled = (root, name) =>
  ['.', 'packages/build', 'packages/db'].some((folder) => existsSync(join(root, folder, 'node_modules', name)))

function isUpToDate(root, folder) {
  const stamp = readStamp(root, folder)
  return stamp !== undefined && hasClient(root) && isFresh(root, folder, stamp)
}

async function make(root, folder) {
  if (folder === DASHBOARD) return (await import('./build-dashboard.mjs')).buildDashboard(root)
  return (await import('./bundle.mjs')).bundle(root, folder)
}

async function build(root, say, folder) {
  const stamp = readStamp(root, folder)
  const startedAt = Date.now()
  await generateClient(root, say)
  say(`building ${folder}/ from the sources`)
  const began = performance.now()
  const { inputs, outputs } = await make(root, folder)
  const { unused, expired } = sortUnused(stamp, outputs, Date.now())
  for (const path of expired) rmSync(join(root, folder, path), { recursive: true, force: true })
  writeStamp(root, folder, { inputs, outputs, startedAt, unused })
  say(`built ${folder}/ in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}
