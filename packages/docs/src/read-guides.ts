import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { ASSETS_PATH } from './paths.ts'
import { HASH_CHARS, type SiteFile } from './site-file.ts'

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
export function readGuides(adapt: (file: string, markdown: string) => string): Guide[] {
  const listed = new Map(
    [...readFileSync(OVERVIEW, 'utf8').matchAll(OVERVIEW_ROW)].map(([, title = '', name = '', description = '']) => [
      name,
      { title, description },
    ]),
  )
  const found = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -'.md'.length)] : []))
  const names = [...new Set([...listed.keys(), ...found.sort()])].filter((name) => found.includes(name))
  return names.map((name) => {
    const file = `${name}.md`
    const markdown = adapt(file, readFileSync(new URL(file, FOLDER), 'utf8'))
    const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name
    return { name, title, description: '', ...listed.get(name), markdown }
  })
}

/** A picture in a guide. */
export interface GuideImage extends SiteFile {
  /** In the repository. */
  source: string
  /** In CSS pixels: pictures have two pixels for each, for screens with a high resolution. */
  width: number
  height: number
}

const IMAGES = new URL('images/', FOLDER)
const PNG_WIDTH_AT = 16
const PNG_HEIGHT_AT = 20
const PIXEL_RATIO = 2

/** Reads the pictures of the guides. Their addresses contain a hash of the content. */
export const readGuideImages = (): GuideImage[] =>
  readdirSync(IMAGES)
    .filter((file) => file.endsWith('.png'))
    .map((file) => {
      const content = readFileSync(new URL(file, IMAGES))
      const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARS)
      return {
        source: `docs/guides/images/${file}`,
        path: `${ASSETS_PATH}/${file.slice(0, -'.png'.length)}.${hash}.png`,
        mediaType: 'image/png',
        content,
        isImmutable: true,
        width: Math.round(content.readUInt32BE(PNG_WIDTH_AT) / PIXEL_RATIO),
        height: Math.round(content.readUInt32BE(PNG_HEIGHT_AT) / PIXEL_RATIO),
      }
    })

/** Reads what has changed in each version. */
export const readChangelog = (): string => readFileSync(CHANGELOG, 'utf8')
