import { getDocumentProxy } from 'unpdf'

export interface OutlineEntry {
  title: string
  items: OutlineEntry[]
}

interface StructureNode {
  role?: string
  alt?: string
  children?: StructureNode[]
}

export interface ReadPdf {
  pages: number
  /** Everything that a reader sees, with line ends, but for the title and the number of each page. */
  text: string
  info: Record<string, unknown>
  outline: OutlineEntry[]
  /** How often each role occurs in the tags. */
  roles: Map<string, number>
  /** Alternative texts of figures. */
  alternatives: string[]
  /** Pieces of text and where they are: pages from 1, and points. */
  pieces: { text: string; page: number; left: number; right: number }[]
  /** Links to the Web. */
  urls: string[]
  /** Pages that links within the document lead to, from 0. */
  targets: number[]
}

/** Reads a PDF with pdf.js, as Firefox does. Throws if a link leads nowhere. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 })
  const read: ReadPdf = {
    pages: document.numPages,
    text: '',
    info: (await document.getMetadata()).info as Record<string, unknown>,
    outline: ((await document.getOutline()) ?? []) as OutlineEntry[],
    roles: new Map(),
    alternatives: [],
    pieces: [],
    urls: [],
    targets: [],
  }
  const visit = ({ role, alt, children = [] }: StructureNode): void => {
    if (role) read.roles.set(role, (read.roles.get(role) ?? 0) + 1)
    if (alt) read.alternatives.push(alt)
    children.forEach(visit)
  }
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items as { str?: string; transform: number[]; width: number }[]) {
      const left = item.transform?.[4] ?? 0
      if (item.str?.trim()) read.pieces.push({ text: item.str, page: number, left, right: left + item.width })
    }
    const lines = items
      .map((item: object) => ('str' in item ? item.str + ('hasEOL' in item && item.hasEOL ? '\n' : '') : ''))
      .join('')
    read.text += `${lines
      .split('\n')
      .filter((line: string) => !isRunning(line, read))
      .join('\n')}\n`
    const tree = await page.getStructTree()
    if (tree) visit(tree as StructureNode)
    for (const { subtype, url, dest } of await page.getAnnotations()) {
      if (subtype !== 'Link') continue
      if (url) read.urls.push(url)
      else read.targets.push(await document.getPageIndex(dest[0]))
    }
  }
  await document.destroy()
  return read
}

const isRunning = (line: string, { pages, info }: ReadPdf): boolean =>
  line === info.Title || new RegExp(`^\\d+ / ${pages}$`).test(line)

/** Returns the text of lines that belong together as one line: words that are hyphenated or broken are whole again. */
export const joinLines = (text: string): string => text.normalize('NFC').replace(/[-\u00ad\u2010]?\n/g, '')
