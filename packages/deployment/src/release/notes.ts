// Prints what the changelog says about the version of a tag. Fails if the tag does not belong to what is checked out:
//   node packages/deployment/src/release/notes.ts v1.3.0
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../paths.ts'
import { findReleaseProblems, readNotes } from './versions.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const [tag = ''] = process.argv.slice(2)
const problems = findReleaseProblems(tag, read)
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}
process.stdout.write(`${readNotes(tag.slice(1), read('CHANGELOG.md'))}\n`)
