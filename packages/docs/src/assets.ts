import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { ASSETS_PATH } from './paths.ts'
import { HASH_CHARS, type SiteFile } from './site-file.ts'

const FOLDER = new URL('./browser/', import.meta.url)

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

const FILES = ['icon.svg', 'page.js', 'rank.js', 'search.js', 'theme.js', 'try.js'] as const
/** Sent as one file. */
const STYLES = ['base.css', 'search.css', 'reference.css', 'layout.css']
type AssetName = (typeof FILES)[number] | 'docs.css' | 'search.json'

/** What the pages load. Every address contains a hash of the content, so that browsers may keep a copy forever. */
export interface Assets {
  /** Returns the address of a file. */
  urlOf(name: AssetName): string
  /** Adds a file that is made at run time. */
  add(name: AssetName, content: string): void
  files(): SiteFile[]
}

export function readAssets(): Assets {
  const files = new Map<AssetName, SiteFile>()
  const add = (name: AssetName, content: string): void => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS)
    const extension = extname(name)
    const path = `${ASSETS_PATH}/${name.slice(0, -extension.length)}.${hash}${extension}`
    files.set(name, { path, mediaType: MEDIA_TYPES[extension] ?? 'text/plain', content, isImmutable: true })
  }
  const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')
  for (const name of FILES) add(name, read(name))
  add('docs.css', STYLES.map(read).join('\n'))
  return {
    add,
    urlOf: (name) => {
      const file = files.get(name)
      if (!file) throw new Error(`There is no asset named ${name}.`)
      return file.path
    },
    files: () => [...files.values()],
  }
}
