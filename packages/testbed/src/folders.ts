import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Undo } from './undo.ts'

/** Creates a temporary folder. It is deleted in the end, unless `isKept` returns true by then. */
export async function openFolder(undo: Undo, isKept = (): boolean => false): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'subtext-testbed-'))
  undo.add(async () => isKept() || (await rm(folder, { recursive: true, force: true })))
  return folder
}

export interface AppLog {
  readonly path: string
  readonly fd: number
}

/** Opens a file in a folder for the log lines of the apps. */
export async function openLog(undo: Undo, folder: string): Promise<AppLog> {
  const path = join(folder, 'apps.log')
  const { fd } = await undo.keep(open(path, 'a'))
  return { path, fd }
}
