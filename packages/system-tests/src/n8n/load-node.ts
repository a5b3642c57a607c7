import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../../n8n')

/** What the nodes use of n8n. */
const N8N_WORKFLOW = {
  NodeConnectionTypes: { Main: 'main' },
  NodeOperationError: class extends Error {
    constructor(_node: unknown, message: string) {
      super(message)
    }
  },
  NodeApiError: class extends Error {
    constructor(_node: unknown, _cause: unknown, { message }: { message: string }) {
      super(message)
    }
  },
}

/** Builds the package for n8n as it is published. */
export const buildNodes = (): void => {
  execFileSync(process.execPath, [join(PACKAGE, 'build.mjs')], { stdio: 'pipe' })
}

/** Returns a class of the built package, given its file in `dist`. */
export function loadNode<T>(file: string, name: string): T {
  const path = join(PACKAGE, 'dist', file)
  const load = createRequire(path)
  const module = { exports: {} as Record<string, new () => T> }
  const requireStub = (id: string) => (id === 'n8n-workflow' ? N8N_WORKFLOW : load(id))
  new Function('require', 'module', 'exports', readFileSync(path, 'utf8'))(requireStub, module, module.exports)
  const Loaded = module.exports[name]
  if (!Loaded) throw new Error(`${file} exports no ${name}.`)
  return new Loaded()
}
