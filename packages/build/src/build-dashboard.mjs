import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DASHBOARD } from './programs.mjs'

const APP = 'apps/dashboard'
const INPUTS = [
  ...['icons.ts', 'index.html', 'package.json', 'public', 'src', 'tsconfig.json', 'vite.config.ts'].map(
    (name) => `${APP}/${name}`,
  ),
  ...['packages/sdk/package.json', 'packages/sdk/src', 'package-lock.json'],
  ...['build-dashboard.mjs', 'programs.mjs'].map((name) => `packages/build/src/${name}`),
]

/** Builds the pages of the dashboard. Returns the files that were read and those that were written, like `bundle`. */
export async function buildDashboard(root) {
  const { build } = await import('vite')
  await build({ root: join(root, APP), logLevel: 'warn' })
  const entries = await readdir(join(root, DASHBOARD), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const outputs = files.map(({ parentPath, name }) => join(parentPath, name).slice(join(root, DASHBOARD).length + 1))
  return { inputs: INPUTS, outputs }
}
