import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const STAMP = 'dist/.build.json'

/** The build's record of what it was made from: by path, a file's time of change and hash, or a folder's entries. */
export function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'))
  } catch {
    return undefined
  }
}

export function writeStamp(root, { inputs, ...rest }) {
  const stamp = { inputs: Object.fromEntries(inputs.map((path) => [path, describe(join(root, path))])), ...rest }
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, STAMP), JSON.stringify(stamp))
}

/** Whether every input is as it was. Contents are read only where the time of change differs, such as after a checkout. */
export function isFresh(root, { inputs }) {
  return Object.entries(inputs).every(([path, known]) => {
    const file = join(root, path)
    const found = statSync(file, { throwIfNoEntry: false })
    if (!found) return false
    if (found.isDirectory()) return entriesOf(file) === known.entries
    return found.mtimeMs === known.changed || hashOf(file) === known.hash
  })
}

const describe = (file) => {
  const found = statSync(file)
  return found.isDirectory() ? { entries: entriesOf(file) } : { changed: found.mtimeMs, hash: hashOf(file) }
}
const entriesOf = (folder) => readdirSync(folder, { recursive: true }).sort().join('\n')
const hashOf = (file) => createHash('sha1').update(readFileSync(file)).digest('base64')
