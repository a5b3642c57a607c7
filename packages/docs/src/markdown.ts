import { createSlugger, escapeMarkup } from '@subtext/render'
import MarkdownIt, { type Token } from 'markdown-it'
import { highlight } from './highlight.ts'

/** A heading and the plain text below it, up to the next heading. */
export interface PageSection {
  level: number
  heading: string
  /** The anchor of the heading. */
  id: string
  text: string
}

export interface Rendered {
  html: string
  /** The first heading is the title. */
  sections: PageSection[]
}

/** Returns the address that a link leads to in the documentation, or null if its target is not a part of it. */
export type ResolveLink = (href: string) => string | null

/** A picture as it is served, with its size in CSS pixels. */
export interface ServedImage {
  path: string
  width: number
  height: number
}

const ERROR_CODE = /^[A-Z]{2,}(?:_[A-Z]+)*$/

const writeCode = (code: string, language: string): string => {
  const html = highlight(code, language) ?? escapeMarkup(code)
  return `<div class="code"><pre tabindex="0"><code>${html}</code></pre></div>`
}

/** Returns a block of code with its parts marked, and a place for a button that copies it. */
export const renderCode = (code: string, language: string): string => writeCode(code.replace(/\n$/, ''), language)

const parser = new MarkdownIt({ html: false, typographer: false })
parser.renderer.rules.fence = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {}
  return `${renderCode(content, info.trim())}\n`
}
// Wide tables scroll on their own, not with the page.
parser.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n'
parser.renderer.rules.table_close = () => '</table></div>\n'

/** Returns a sentence of Markdown as HTML. */
export const renderInline = (markdown: string): string => parser.renderInline(markdown)

const plainText = (token: Token): string =>
  (token.children ?? [])
    .filter(({ type }) => ['text', 'text_special', 'code_inline', 'softbreak'].includes(type))
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')

/** Comments surround the generated parts of a guide. */
const withoutComments = (markdown: string): string => markdown.replace(/^<!--.*-->\n/gm, '')

function resolveLinks(tokens: Token[], resolve: ResolveLink): void {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open') continue
    const address = resolve(String(token.attrGet('href')))
    // A link to something that is not served would be broken.
    if (address === null) token.attrs = []
    else token.attrSet('href', address)
  }
}

/** Gives every picture its address and its size. Throws for one that does not exist. */
function resolveImages(tokens: Token[], images: readonly ServedImage[], resolve: ResolveLink): void {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'image') continue
    const image = images.find(({ path }) => path === resolve(String(token.attrGet('src'))))
    if (!image) throw new Error(`There is no picture ${token.attrGet('src')}.`)
    token.attrSet('src', image.path)
    token.attrSet('width', String(image.width))
    token.attrSet('height', String(image.height))
    token.attrSet('loading', 'lazy')
  }
}

/** Gives every heading its anchor. A heading that is an error code has the code as its anchor, as in `docs_url`. */
function collectSections(tokens: Token[]): PageSection[] {
  const toSlug = createSlugger()
  const sections: PageSection[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1] ?? token)
      const slug = toSlug(heading)
      const id = ERROR_CODE.test(heading) ? heading : slug
      token.attrSet('id', id)
      sections.push({ level: Number(token.tag.slice(1)), heading, id, text: '' })
    }
    const section = sections.at(-1)
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    if (section && !isHeading) {
      if (token.type === 'inline') section.text += `${plainText(token)}\n`
      if (token.type === 'fence') section.text += token.content
    }
  }
  return sections
}

/** Renders a document of our own. HTML in it is shown as text. */
export function renderMarkdown(markdown: string, resolve: ResolveLink, images: readonly ServedImage[] = []): Rendered {
  const env = {}
  const tokens = parser.parse(withoutComments(markdown), env)
  resolveLinks(tokens, resolve)
  resolveImages(tokens, images, resolve)
  const sections = collectSections(tokens)
  return { html: parser.renderer.render(tokens, parser.options, env), sections }
}
