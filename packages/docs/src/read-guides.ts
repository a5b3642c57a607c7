import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../../docs/guides/', import.meta.url)
const OVERVIEW = new URL('../../../docs/README.md', import.meta.url)
const CHANGELOG = new URL('../../../CHANGELOG.md', import.meta.url)

export interface Guide {
  /** As in the address. */
  name: string
  title: string
  /** What it is about, in a few words. */
  description: string
  markdown: string
}

const OVERVIEW_ROW = /^\| \[([^\]]+)\]\(guides\/([\w-]+)\.md\) \| (.+) \|$/gm

/** Reads the guides in the order of their overview; those that it does not list come last. */
export function readGuides(): Guide[] {
  const listed = new Map(
    [...readFileSync(OVERVIEW, 'utf8').matchAll(OVERVIEW_ROW)].map(([, title = '', name = '', description = '']) => [
      name,
      { title, description },
    ]),
  )
  const found = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
  const names = [...new Set([...listed.keys(), ...found.sort()])].filter((name) => found.includes(name))
  return names.map((name) => {
    const markdown = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
    return { name, title, description: '', ...listed.get(name), markdown }
  })
}

/** Reads what has changed in each version. */
export const readChangelog = (): string => readFileSync(CHANGELOG, 'utf8')
