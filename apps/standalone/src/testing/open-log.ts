import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Undo } from './undo.ts'

/** Opens a file for the log lines of the apps. */
export async function openLog(undo: Undo): Promise<{ path: string; fd: number }> {
  const directory = await mkdtemp(join(tmpdir(), 'subtext-test-log-'))
  undo.add(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, 'apps.log')
  const file = await open(path, 'a')
  undo.add(() => file.close())
  return { path, fd: file.fd }
}
