import { MARKDOWN_ESCAPES, type MarkdownEscapes } from './escape-markdown.ts'
import { foldText, joinTexts } from './fold-text.ts'
import { createSlugger } from './heading-slug.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

/** A moment of the video. */
export interface Moment {
  place: string
  startMs: number
  /** The segment of the transcript that begins then. */
  segmentId?: number
}

/** Text from outside and the moments it rests on. */
export interface TimedClaim {
  text: string
  moments: Moment[]
}

export interface Heading {
  level: number
  text: string
  /** Only our own headings have one: it identifies the heading in the page. */
  id?: string
}

/** Writes the parts of a document. All texts come from outside and are escaped here; blocks are joined with `join`. */
export interface Syntax {
  heading(heading: Heading): string
  paragraph(text: string): string
  /** Writes claims as running text. */
  claims(claims: TimedClaim[]): string
  /** Writes a remark of ours about the text that follows. */
  note(text: string): string
  /** `items` are results of `item`, `claim` and `moment`. */
  list(items: string[], numbered?: boolean): string
  item(text: string): string
  /** Writes a date, a duration or the like, which runs from left to right in every language, as the end of an item. */
  figure(text: string): string
  /** Writes a list item with its moments after it. */
  claim(claim: TimedClaim): string
  /** Writes a list item that begins with its moment. */
  moment(moment: Moment, text: string): string
  /** Writes a URL that the service made itself. */
  address(url: string): string
  /** Writes links to the headings that have an ID. `headings`: all headings of the document, in order. */
  contents(headings: Heading[]): string
  join(blocks: string[]): string
}

const writeList = (items: string[], numbered = false): string =>
  items.map((item, index) => `${numbered ? `${index + 1}.` : '-'} ${item}`).join('\n')

const joinBlocks = (blocks: string[]): string => blocks.filter((block) => block !== '').join('\n\n')

/** Joins neighbors without a moment between them. Claims without text are omitted. */
export function mergeClaims(claims: TimedClaim[]): TimedClaim[] {
  const merged: TimedClaim[] = []
  for (const claim of claims.filter(({ text }) => foldText(text) !== '')) {
    const last = merged.at(-1)
    if (last && last.moments.length === 0) {
      merged[merged.length - 1] = { text: joinTexts([last.text, claim.text]), moments: claim.moments }
    } else merged.push(claim)
  }
  return merged
}

/** What differs among the dialects of Markdown. */
interface Dialect extends Pick<Syntax, 'contents'> {
  escapes: MarkdownEscapes
  linkMoment(moment: Moment): string
}

/** Returns a link to a moment of the video, in Markdown. */
export const linkMoment = ({ place, startMs }: Moment): string =>
  `[${formatClock(startMs)}](${buildWatchUrl(place, startMs)})`

/** Creates a dialect of Markdown. */
export function createMarkdownSyntax({ escapes, linkMoment, contents }: Dialect): Syntax {
  /** Returns the parts of a line, to be joined with spaces. */
  const cite = (escaped: string, moments: Moment[]): string[] => [escaped, ...moments.map(linkMoment)]
  return {
    heading: ({ level, text }) => `${'#'.repeat(level)} ${escapes.heading(text)}`,
    paragraph: escapes.block,
    claims: (claims) =>
      mergeClaims(claims)
        .flatMap(({ text, moments }, index) => cite(index === 0 ? escapes.block(text) : escapes.inline(text), moments))
        .join(' '),
    note: (text) => `*${escapes.inline(text)}*`,
    list: writeList,
    item: escapes.block,
    figure: escapes.inline,
    claim: ({ text, moments }) => cite(escapes.block(text), moments).join(' '),
    moment: (moment, text) => `${linkMoment(moment)} ${escapes.inline(text)}`,
    address: (url) => `<${url}>`,
    contents,
    join: joinBlocks,
  }
}

export const markdownSyntax: Syntax = createMarkdownSyntax({
  escapes: MARKDOWN_ESCAPES,
  linkMoment,
  contents: (headings) => {
    const toSlug = createSlugger()
    const lines = headings.map((heading) => ({ ...heading, slug: toSlug(heading.text) }))
    return lines
      .filter(({ id }) => id !== undefined)
      .map(({ level, text, slug }) => `${level > 2 ? '  ' : ''}- [${MARKDOWN_ESCAPES.inline(text)}](#${slug})`)
      .join('\n')
  },
})

const UNDERLINES: Record<number, string> = { 1: '=', 2: '-' }
const MAX_UNDERLINE = 72

/** Plain text has no links: a list shows times only where they order it, and there is no list of contents. */
export const plainSyntax: Syntax = {
  heading: ({ level, text }) => {
    const line = foldText(text)
    const mark = UNDERLINES[level]
    return mark === undefined ? line : `${line}\n${mark.repeat(Math.min(line.length, MAX_UNDERLINE))}`
  },
  paragraph: foldText,
  claims: (claims) => joinTexts(claims.map(({ text }) => text)),
  note: foldText,
  list: writeList,
  item: foldText,
  figure: foldText,
  claim: ({ text }) => foldText(text),
  moment: ({ startMs }, text) => `${formatClock(startMs)} ${foldText(text)}`,
  address: (url) => url,
  contents: () => '',
  join: joinBlocks,
}
