import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from './errno.ts'
import { isRunning, markProcess, type ProcessMark, parseProcessMark } from './process-mark.ts'
import { type ShutdownSteps, shutDown } from './shut-down.ts'

const LOCK_FILE = 'owner.lock'

/** A data directory that only this process may use until it releases it. */
export interface ClaimedDirectory {
  /** Absolute path without symbolic links. Only the owner may read the directory. */
  readonly path: string
  /** Records the server's pid, so that a later start can stop the server if this process dies without doing so. */
  recordServer(pid: number): void
  release(): void
}

/**
 * Claims the directory, creating it if needed, and stops a server that a killed owner has left behind in it.
 * Throws `DirectoryInUseError` if another running process holds it.
 */
export async function claimDirectory(
  directory: string,
  steps: ShutdownSteps,
  onProgress: (text: string) => void,
): Promise<ClaimedDirectory> {
  await mkdir(directory, { recursive: true })
  const path = await realpath(directory)
  await chmod(path, 0o700)
  const serverFile = join(path, 'server.pid')
  const releaseLock = takeLock(path)
  const release = (): void => {
    rmSync(serverFile, { force: true })
    releaseLock()
  }
  try {
    await stopOrphan(path, readMark(serverFile), steps, onProgress)
  } catch (error) {
    releaseLock()
    throw error
  }
  return { path, release, recordServer: (pid) => writeMark(serverFile, markProcess(pid)) }
}

/** Returns whether a running process holds the directory. */
export function isDirectoryInUse(directory: string): boolean {
  const holder = readMark(join(directory, LOCK_FILE))
  return holder !== null && isRunning(holder)
}

/** Thrown when another running process holds the directory. */
export class DirectoryInUseError extends Error {
  constructor(path: string, pid: number) {
    super(`${path} is in use by another running instance (pid ${pid}).`)
    this.name = 'DirectoryInUseError'
  }
}

function takeLock(path: string): () => void {
  const lockFile = join(path, LOCK_FILE)
  const own = join(path, `owner.${randomUUID()}`)
  writeMark(own, markProcess(process.pid))
  try {
    while (!tryLink(own, lockFile)) {
      const holder = readMark(lockFile)
      if (holder && isRunning(holder)) {
        throw new DirectoryInUseError(path, holder.pid)
      }
      removeStale(lockFile, holder)
    }
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(lockFile, { force: true })
}

/**
 * Links a file, which fails if the name is taken. Unlike a new file, which exists before it is written, a link appears with its
 * content.
 */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Removes a stale lock. Two starts may find the same one, and the slower start must not remove the lock that the faster start
 * has taken since. So the lock is moved aside, checked again, and put back if it is not the stale one.
 */
function removeStale(lockFile: string, stale: ProcessMark | null): void {
  const aside = `${lockFile}.${randomUUID()}`
  try {
    renameSync(lockFile, aside)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return
    throw error
  }
  const moved = readMark(aside)
  if (moved && (moved.pid !== stale?.pid || moved.began !== stale.began)) tryLink(aside, lockFile)
  rmSync(aside, { force: true })
}

async function stopOrphan(
  path: string,
  orphan: ProcessMark | null,
  steps: ShutdownSteps,
  onProgress: (text: string) => void,
): Promise<void> {
  if (!orphan || !isRunning(orphan)) return
  onProgress(`stopping the server (pid ${orphan.pid}) that an earlier run left behind in ${path}`)
  const isGone = (): boolean => !isRunning(orphan)
  const kill = (signal: NodeJS.Signals): void => {
    if (!isGone()) process.kill(orphan.pid, signal)
  }
  if (!(await shutDown({ kill, isGone }, steps))) {
    throw new Error(`${path} is still used by a server of an earlier run (pid ${orphan.pid}) that does not exit.`)
  }
}

function readMark(file: string): ProcessMark | null {
  try {
    return parseProcessMark(readFileSync(file, 'utf8'))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
}

function writeMark(file: string, mark: ProcessMark | undefined): void {
  if (mark) writeFileSync(file, JSON.stringify(mark), { mode: 0o600 })
}
