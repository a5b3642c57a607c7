import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSlugger } from '@subtext/render'
import { ROOT } from '../paths.ts'

const FOLDERS = ['.', 'docs/operating', 'docs/operating/runbooks', 'docs/contributing', 'packages/chaos']
const pages = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
)

const textOf = (page: string): string =>
  readFileSync(join(ROOT, page), 'utf8')
    .split(/^```.*$/m)
    .filter((_, at) => at % 2 === 0)
    .join('')

function anchorsOf(page: string): string[] {
  const slug = createSlugger()
  return [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading.replaceAll('`', '')))
}

/** Returns the links of a page to files and headings that do not exist. */
function findBroken(page: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(ROOT, target))) return [link]
    const isMissing = anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
    return isMissing ? [link] : []
  })
}

test('the links of the pages for operators lead to files and headings that exist', () => {
  expect(pages.length).toBeGreaterThan(30)
  const broken = pages.map((page) => [page, findBroken(page, textOf(page))] as const)
  expect(broken.filter(([, links]) => links.length > 0)).toEqual([])
})

test('a broken link is noticed', () => {
  const text =
    '[one](submissions-fail.md), [two](secrets.md#auth-secret), [three](#nowhere), [four](secrets.md#auth_secret)'
  expect(findBroken('docs/operating/objectives.md', text)).toEqual([
    'submissions-fail.md',
    'secrets.md#auth-secret',
    '#nowhere',
  ])
})
