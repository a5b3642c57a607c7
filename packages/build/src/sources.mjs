import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Says what `dist/` was built from, for installs that cannot build it. */
const RECORD = 'sources.json'

const hash = (path) => createHash('sha1').update(readFileSync(path)).digest('base64')

/** Returns the record of the files of ours that a build has read, given its metafile. */
export function recordSources(root, { inputs, outputs }) {
  const paths = [inputs, ...Object.values(outputs).map((output) => output.inputs)].flatMap(Object.keys)
  const ours = new Set(paths.filter((path) => !path.includes('node_modules/')))
  return [RECORD, JSON.stringify(Object.fromEntries([...ours].map((path) => [path, hash(join(root, path))])))]
}

/** Whether any file that the build in `folder` was made from has changed; one that is missing has not. */
export function haveSourcesChanged(root, folder) {
  const record = join(root, folder, RECORD)
  if (!existsSync(record)) return false
  return Object.entries(JSON.parse(readFileSync(record, 'utf8'))).some(
    ([path, known]) => existsSync(join(root, path)) && hash(join(root, path)) !== known,
  )
}
