import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSourceFiles } from './testing/list-source-files.ts'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')

/** Names that two packages export for different things, and why. */
const ALLOWED: Record<string, string> = {
  Account: 'An account in the API, and the part of the SDK with its methods, which is named after `subtext.account`.',
  Job: 'A job in the API, and the stored job that it is made from: both are the job, on either side of a presenter.',
  Operations:
    'The overview in the API, and the part of the SDK that fetches it, which is named after `subtext.operations`.',
}

const DECLARATION = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm

interface Source {
  path: string
  text: string
}

const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/')

/** Returns the files that export a type of the same name as another package does, by name. */
function findSharedNames(sources: Source[]): Record<string, string[]> {
  const files = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    for (const [, name = ''] of text.matchAll(DECLARATION)) files.set(name, (files.get(name) ?? new Set()).add(path))
  }
  return Object.fromEntries(
    [...files]
      .filter(([, paths]) => new Set([...paths].map(packageOf)).size > 1)
      .map(([name, paths]) => [name, [...paths].toSorted()]),
  )
}

const sources = listSourceFiles(ROOT)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(?:^|\/)generated\//.test(file))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test('no name of a type is exported by two packages for different things, besides a few with a reason', () => {
  expect(sources.length).toBeGreaterThan(500)
  const shared = findSharedNames(sources)
  expect(Object.entries(shared).filter(([name]) => !(name in ALLOWED))).toEqual([])
  expect(Object.keys(ALLOWED).filter((name) => !(name in shared))).toEqual([])
})

test('finds interfaces, types, classes and enums of the same name in two packages, not in two files of one', () => {
  const text = (kind: string) => `/** A thing. */\nexport ${kind}`
  expect(
    findSharedNames([
      { path: 'packages/a/src/one.ts', text: text('interface Call {}\nexport type Own = string\ninterface Inner {}') },
      { path: 'packages/a/src/two.ts', text: text('type Own = number\nexport enum Kind {}') },
      { path: 'packages/b/src/one.ts', text: text('abstract class Call {}\nexport interface Inner {}') },
      { path: 'apps/a/src/one.ts', text: text('type Kind<T> = T\nexport const Own = 1') },
    ]),
  ).toEqual({
    Call: ['packages/a/src/one.ts', 'packages/b/src/one.ts'],
    Kind: ['apps/a/src/one.ts', 'packages/a/src/two.ts'],
  })
})
