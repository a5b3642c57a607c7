import { lstatSync, lutimesSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_INTERVAL_MS = 100
const REFRESH_INTERVAL_MS = 5_000
/** A lock that was not refreshed for this long was left behind: another process may have the ID of its owner. */
const MAX_AGE_MS = 60_000

/**
 * Runs `task` while no other process builds in `root`, and returns what it returns. Throws what `task` throws, or the error
 * of the file system when `root` cannot be written.
 */
export async function withLock(root, say, task) {
  // A symbolic link, because it appears together with its content: the owner.
  const lock = join(root, 'dist.lock')
  const own = `${process.pid}@${hostname()}`
  for (let isFirst = true; !tryTake(lock, own); isFirst = false) {
    if (isFirst) say('waiting for another process that is building')
    await sleep(POLL_INTERVAL_MS)
  }
  const refresh = () => {
    if (readOwner(lock) === own) lutimesSync(lock, new Date(), new Date())
  }
  const timer = setInterval(refresh, REFRESH_INTERVAL_MS).unref()
  try {
    return await task()
  } finally {
    clearInterval(timer)
    if (readOwner(lock) === own) rmSync(lock)
  }
}

function tryTake(lock, own) {
  try {
    symlinkSync(own, lock)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  const owner = readOwner(lock)
  if (owner && isStale(lock, owner)) removeStale(lock, owner)
  return false
}

function readOwner(lock) {
  try {
    return readlinkSync(lock)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isStale(lock, owner) {
  const created = lstatSync(lock, { throwIfNoEntry: false })?.mtimeMs
  if (created === undefined) return false
  if (Date.now() - created > MAX_AGE_MS) return true
  const [pid, host] = owner.split('@')
  if (host !== hostname()) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

/** Moves the lock aside first, and puts it back if another process has replaced the stale one in the meantime. */
function removeStale(lock, owner) {
  const aside = `${lock}.${process.pid}`
  try {
    renameSync(lock, aside)
    const moved = readlinkSync(aside)
    rmSync(aside)
    if (moved !== owner) symlinkSync(moved, lock)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(error.code)) throw error
  }
}
