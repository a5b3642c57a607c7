import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, type ReactNode } from 'react'
import { CitationButton } from './citation-button.tsx'
import { readMoment } from './moments.ts'

interface MarkdownProps {
  text: string
  videoId: string
  /** A citation was chosen: the second of the video that it names. Null if none can be chosen. */
  onCite: ((seconds: number) => void) | null
  /** The highlighted citation, in seconds; null for none. */
  lit: number | null
}

/**
 * Shows a summary. Its Markdown becomes elements and never HTML; links to moments of the video become citations, and other
 * links plain text, because the text quotes strangers.
 */
export function Markdown({ text, ...rest }: MarkdownProps) {
  return <div className="summary flex flex-col gap-3 text-[0.95rem] leading-relaxed">{showAll(lexer(text), rest)}</div>
}

type Context = Omit<MarkdownProps, 'text'>

const showAll = (tokens: readonly Token[] | undefined, context: Context): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text have no other identity, and never move
  tokens?.map((token, index) => <Fragment key={index}>{show(token, context)}</Fragment>)

function show(token: Token, context: Context): ReactNode {
  switch (token.type) {
    case 'space':
      return null
    case 'heading':
      return <h3 className="mt-3 text-base font-semibold first:mt-0">{showAll(token.tokens, context)}</h3>
    case 'paragraph':
      return <p>{showAll(token.tokens, context)}</p>
    case 'list':
      return <ul className="flex list-disc flex-col gap-1.5 pl-5 marker:text-muted">{showAll(token.items, context)}</ul>
    case 'list_item':
      return <li>{showAll(token.tokens, context)}</li>
    case 'strong':
      return <strong className="font-semibold">{showAll(token.tokens, context)}</strong>
    case 'em':
      return <em>{showAll(token.tokens, context)}</em>
    case 'link':
      return showLink(token as Tokens.Link, context)
    case 'text':
      return 'tokens' in token && token.tokens ? showAll(token.tokens, context) : readEntities(token.text)
    case 'escape':
      return token.text
    case 'br':
      return <br />
    default:
      return readEntities(token.raw)
  }
}

/** The lexer leaves entities in texts as they are. */
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const readEntities = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)

function showLink({ href, text }: Tokens.Link, { videoId, onCite, lit }: Context): ReactNode {
  const seconds = readMoment(href, videoId)
  if (seconds === null) return text
  return (
    <CitationButton seconds={seconds} isLit={lit === seconds} onCite={onCite}>
      {text}
    </CitationButton>
  )
}
