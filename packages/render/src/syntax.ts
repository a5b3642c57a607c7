import { escapeBlock, escapeHeading, escapeInline } from './escape-markdown.ts'
import { foldText } from './fold-text.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

/** Writes the parts of a document. All texts come from outside and are escaped here; blocks are joined with `join`. */
export interface Syntax {
  heading(level: number, text: string): string
  paragraph(text: string): string
  /** `items` are results of `item` and `moment`. */
  list(items: string[], numbered?: boolean): string
  item(text: string): string
  /** Writes a list item about a moment of the video. */
  moment(videoId: string, atMs: number, text: string): string
  /** Writes a URL that the service made itself. */
  address(url: string): string
  join(blocks: string[]): string
}

const writeList = (items: string[], numbered = false): string =>
  items.map((item, index) => `${numbered ? `${index + 1}.` : '-'} ${item}`).join('\n')

const joinBlocks = (blocks: string[]): string => blocks.filter((block) => block !== '').join('\n\n')

export const markdownSyntax: Syntax = {
  heading: (level, text) => `${'#'.repeat(level)} ${escapeHeading(text)}`,
  paragraph: escapeBlock,
  list: writeList,
  item: escapeBlock,
  moment: (videoId, atMs, text) => `[${formatClock(atMs)}](${buildWatchUrl(videoId, atMs)}) ${escapeInline(text)}`,
  address: (url) => `<${url}>`,
  join: joinBlocks,
}

const UNDERLINES: Record<number, string> = { 1: '=', 2: '-' }
const MAX_UNDERLINE = 72

export const plainSyntax: Syntax = {
  heading: (level, text) => {
    const line = foldText(text)
    const mark = UNDERLINES[level]
    return mark === undefined ? line : `${line}\n${mark.repeat(Math.min(line.length, MAX_UNDERLINE))}`
  },
  paragraph: foldText,
  list: writeList,
  item: foldText,
  moment: (_videoId, atMs, text) => `${formatClock(atMs)} ${foldText(text)}`,
  address: (url) => url,
  join: joinBlocks,
}
