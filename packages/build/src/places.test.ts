import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSourceFiles } from './testing/list-source-files.ts'

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../..')
const TESTS = listSourceFiles(ROOT).filter((file) => file.endsWith('.test.ts'))

const page = readFileSync(join(ROOT, 'docs/contributing/architecture.md'), 'utf8')
const [, section = ''] = /^## Where does a line go\?\n(.*?)^## /ms.exec(page) ?? []
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.slice('| '.length, -' |'.length).split(' | '))

const codeIn = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

/** Whether code names a file or folder by its path, rather than a command, a setting or a route. */
const isPath = (code: string): boolean => /^[a-z][\w.-]*\/\S+$/i.test(code)

const isThere = (place: string): boolean =>
  existsSync(join(ROOT, /^(?:apps|clients|docs|packages|prisma)\//.test(place) ? place : `packages/${place}`))

test('the table of places has a change, its places and its tests in every row', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter((cells) => cells.length !== 3 || codeIn(cells[2]).length !== 1)).toEqual([])
})

test('every place that the page names exists', () => {
  const args = rows.flatMap(([, , tests]) => codeIn(tests))
  const places = codeIn(page.replaceAll(/^```.*?^```/gms, '')).filter((code) => isPath(code) && !args.includes(code))
  expect(places.length).toBeGreaterThan(40)
  expect(places.filter((place) => !isThere(place))).toEqual([])
})

test('every argument of npm test that the table names finds tests', () => {
  const args = rows.flatMap(([, , tests]) => codeIn(tests).flatMap((code) => code.split(' ')))
  expect(args.filter((arg) => !TESTS.some((file) => file.includes(arg)))).toEqual([])
})
