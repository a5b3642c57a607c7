import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = '.build.json'
/** npm writes here which packages it has installed. */
const INSTALLED = 'node_modules/.package-lock.json'

/**
 * The record of the build in `folder`: its inputs by path, the packages that were installed, and the files that it wrote.
 * Undefined if there is none.
 */
export function readStamp(root, folder) {
  try {
    return JSON.parse(readFileSync(join(root, folder, STAMP), 'utf8'))
  } catch {
    return undefined
  }
}

/** Records a build that began at `startedAt` (epoch milliseconds). */
export function writeStamp(root, folder, { inputs, startedAt, ...rest }) {
  const describeInput = (path) => [path, describe(join(root, path), startedAt)]
  const installed = existsSync(join(root, INSTALLED)) ? describe(join(root, INSTALLED), startedAt) : {}
  const stamp = { inputs: Object.fromEntries(inputs.map(describeInput)), installed, ...rest }
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, folder, STAMP), JSON.stringify(stamp))
}

/** Programs that still run may load further parts of the build they were started from, which outlive later builds. */
const KEPT_UNUSED_MS = 3_600_000

/**
 * Returns the files of earlier builds that the new `outputs` do not replace: those to keep, each with the time since when
 * nothing new uses it (epoch milliseconds), and those that may be removed.
 */
export function sortUnused(stamp, outputs, now) {
  const earlier = { ...Object.fromEntries((stamp?.outputs ?? []).map((path) => [path, now])), ...stamp?.unused }
  const unused = Object.entries(earlier).filter(([path]) => !outputs.includes(path))
  const isExpired = ([, since]) => now - since > KEPT_UNUSED_MS
  return {
    unused: Object.fromEntries(unused.filter((entry) => !isExpired(entry))),
    expired: unused.filter(isExpired).map(([path]) => path),
  }
}

/** Whether every input and every installed package is as it was, and every output is there. */
export function isFresh(root, folder, { inputs, installed = {}, outputs }) {
  return (
    isUnchanged(join(root, INSTALLED), installed) &&
    Object.keys(inputs).every((path) => existsSync(join(root, path))) &&
    outputs.every((path) => existsSync(join(root, folder, path))) &&
    !hasChanged(root, { inputs })
  )
}

/** Whether any input differs from the one that was built; an input that is missing does not. Packages do not count. */
export function hasChanged(root, { inputs }) {
  return Object.entries(inputs).some(([path, known]) => !isUnchanged(join(root, path), known))
}

/** The contents of a file are read only where the time of change differs, such as after a checkout. */
function isUnchanged(path, known) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) return true
  if (found.isDirectory()) return hashFolder(path) === known.hash
  return found.mtimeMs === known.changed || hashFile(path) === known.hash
}

/** Times of a file system can be slightly behind the clock. */
const CLOCK_TOLERANCE_MS = 20

function describe(path, startedAt) {
  const found = statSync(path)
  if (found.isDirectory()) return { hash: hashFolder(path) }
  // The build may have read it before it changed: nothing matches this record. A time in the future comes from elsewhere.
  if (found.mtimeMs >= startedAt - CLOCK_TOLERANCE_MS && found.mtimeMs <= Date.now() + CLOCK_TOLERANCE_MS) return {}
  return { changed: found.mtimeMs, hash: hashFile(path) }
}

const hash = (content) => createHash('sha1').update(content).digest('base64')
const hashFile = (path) => hash(readFileSync(path))

/** Covers the names and the contents of all files below a folder. */
function hashFolder(folder) {
  const entries = readdirSync(folder, { recursive: true }).sort()
  const describeEntry = (entry) => {
    const path = join(folder, entry)
    return `${entry} ${statSync(path).isFile() ? hashFile(path) : ''}`
  }
  return hash(entries.map(describeEntry).join('\n'))
}
