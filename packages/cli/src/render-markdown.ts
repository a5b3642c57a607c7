import { styleText } from 'node:util'
import { lexer, type Token, type Tokens } from 'marked'
import wrapAnsi from 'wrap-ansi'
import { stripControls } from './terminal-text.ts'

interface RenderOptions {
  /** Width of the terminal. */
  columns: number
  /** Whether text may be colored and links made. Without it, the layout says everything. */
  hasColor: boolean
}

type Style = Parameters<typeof styleText>[0]
type Context = RenderOptions & { style: (format: Style, text: string) => string }

/** Long lines are hard to read, however wide the window is. */
const MAX_COLUMNS = 100

/**
 * Returns Markdown as a terminal shows it. The text quotes strangers: its control characters are left out, and the only escape
 * sequences of the result are those that are made here.
 */
export function renderMarkdown(markdown: string, { columns, hasColor }: RenderOptions): string {
  const style = (format: Style, text: string): string =>
    hasColor ? styleText(format, text, { validateStream: false }) : text
  const context = { columns: Math.min(columns, MAX_COLUMNS), hasColor, style }
  return `${renderBlocks(lexer(stripControls(markdown)), context)}\n`
}

const renderBlocks = (tokens: readonly Token[], context: Context, separator = '\n\n'): string =>
  withoutContents(tokens)
    .map((token) => renderBlock(token, context))
    .filter((text) => text !== '')
    .join(separator)

/** Leaves out the list of links to the sections, which lead nowhere on a terminal, and its heading. */
function withoutContents(tokens: readonly Token[]): readonly Token[] {
  const blocks = tokens.filter(({ type }) => type !== 'space')
  const at = blocks.findIndex((token) => token.type === 'list' && isContents(token as Tokens.List))
  if (at === -1) return blocks
  const start = blocks[at - 1]?.type === 'heading' ? at - 1 : at
  return blocks.toSpliced(start, at - start + 1)
}

const isContents = ({ items }: Tokens.List): boolean =>
  items.every(({ text }) => text.split('\n').every((line) => /^(?:- |\s)*\[/.test(line) && LINK_TO_SECTION.test(line)))

/** The end of a link to a section. */
const LINK_TO_SECTION = /\]\(#[^()]*\)$/

function renderBlock(token: Token, context: Context): string {
  switch (token.type) {
    case 'heading':
      return renderHeading(token as Tokens.Heading, context)
    case 'list':
      return renderList(token as Tokens.List, context)
    case 'blockquote':
      return indent(renderBlocks(token.tokens ?? [], narrow(context, 2)), context.style('dim', '│ '))
    case 'hr':
      return context.style('dim', '─'.repeat(context.columns))
    case 'code':
      return indent(token.text, '    ')
    case 'paragraph':
    case 'text':
      return wrap(renderInline(token, context), context)
    default:
      return wrap(readEntities(token.raw).trim(), context)
  }
}

/** The characters that underline headings of the first two levels where nothing can be bold. */
const UNDERLINES = ['═', '─']

function renderHeading({ depth, tokens }: Tokens.Heading, context: Context): string {
  const text = wrap(renderAll(tokens, context), context)
  if (context.hasColor) return context.style(depth === 1 ? ['bold', 'underline'] : ['bold', 'cyan'], text)
  const underline = UNDERLINES[depth - 1]
  const width = Math.max(...text.split('\n').map((line) => line.length))
  return underline === undefined ? text : `${text}\n${underline.repeat(width)}`
}

function renderList({ items, ordered, start, loose }: Tokens.List, context: Context): string {
  const lines = items.map((item, index) => {
    const marker = ordered ? `${Number(start || 1) + index}. ` : '• '
    const inside = renderBlocks(item.tokens, narrow(context, marker.length), loose ? '\n\n' : '\n')
    return context.style('dim', marker) + indent(inside, ' '.repeat(marker.length)).slice(marker.length)
  })
  return lines.join(loose ? '\n\n' : '\n')
}

const narrow = (context: Context, by: number): Context => ({ ...context, columns: Math.max(20, context.columns - by) })
const indent = (text: string, by: string): string => text.replaceAll(/^/gm, () => by)
const wrap = (text: string, { columns }: Context): string => wrapAnsi(text, columns, { hard: true })

const renderAll = (tokens: readonly Token[] = [], context: Context): string =>
  tokens.map((token) => renderInline(token, context)).join('')

function renderInline(token: Token, context: Context): string {
  const text = (): string =>
    'tokens' in token && token.tokens ? renderAll(token.tokens, context) : readEntities(token.raw).replaceAll('\n', ' ')
  switch (token.type) {
    case 'strong':
      return context.style('bold', text())
    case 'em':
      return context.style('italic', text())
    case 'codespan':
      return context.style('yellow', readEntities(token.text))
    case 'escape':
      return token.text
    case 'br':
      return '\n'
    case 'link':
      return renderLink(token as Tokens.Link, text(), context)
    default:
      return text()
  }
}

const TIME = /^\d+(?::\d\d)+$/
/** An address that is safe in an escape sequence. */
const ADDRESS = /^https?:\/\/[\w.~:/?#@!$&'()*+,;=%-]+$/

/** Shows a moment as its time, which opens the video where the terminal supports links, and other links with their addresses. */
function renderLink({ href }: Tokens.Link, text: string, { hasColor, style }: Context): string {
  const isMoment = TIME.test(text)
  if (!ADDRESS.test(href)) return text
  if (!hasColor) return isMoment ? `[${text}]` : text === href ? text : `${text} (${href})`
  return `\u001b]8;;${href}\u0007${style(isMoment ? 'cyan' : 'underline', text)}\u001b]8;;\u0007`
}

/** The lexer leaves entities in texts as they are. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const readEntities = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
