import type { VideoInfo } from '@subtext/contracts'
import type { SummarySource } from '../summarizer.ts'
import { escapeLine } from './escape-line.ts'

/** Descriptions open with the subject; what comes later is links and advertising. Code points. */
const MAX_DESCRIPTION = 1_000
const MAX_TITLE = 500

/** A numbered line of a document. All texts are escaped. */
export interface PromptLine {
  id: number
  text: string
  startMs: number
  /** Headings that stand above it. */
  chapters: string[]
}

/** `pace` is called between steps of the work. */
export async function buildTranscriptLines(
  { video, cues }: SummarySource,
  pace: () => Promise<void>,
): Promise<PromptLine[]> {
  const ahead = orderChapters(video)
  const lines: PromptLine[] = []
  let chapters: string[] = []
  for (const [index, { startMs, text: spoken }] of cues.entries()) {
    await pace()
    chapters.push(...takeChapters(ahead, startMs))
    const text = escapeLine(spoken)
    if (text === '') continue
    lines.push({ id: index + 1, text, startMs, chapters })
    chapters = []
  }
  return lines
}

export interface ChapterAhead {
  startMs: number
  title: string
}

export const orderChapters = ({ chapters }: VideoInfo): ChapterAhead[] =>
  chapters
    .map(({ start, title }) => ({ startMs: start * 1_000, title: shorten(escapeLine(title), MAX_TITLE) }))
    .sort((a, b) => a.startMs - b.startMs)

/** Titles of the chapters that have begun by then; they are taken off the list. */
export function takeChapters(ahead: ChapterAhead[], startMs: number): string[] {
  const titles: string[] = []
  for (let next = ahead[0]; next && next.startMs <= startMs; next = ahead[0]) {
    if (next.title !== '') titles.push(next.title)
    ahead.shift()
  }
  return titles
}

function shorten(text: string, max: number): string {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text
}

export interface DocumentOptions {
  /** What the numbered lines are. */
  kind: 'transcript' | 'notes'
  /** Words of the part before. */
  before?: string
}

/**
 * The document as the model sees it: the publisher's title, channel, description and language, then a `[12] text` line for
 * each of `lines`. The same source gives the same bytes, as the provider's cache needs.
 */
export function buildDocument({ video, track }: SummarySource, lines: PromptLine[], options: DocumentOptions): string {
  const { kind, before } = options
  const parts = [
    '<video>',
    `<title>${shorten(escapeLine(video.title), MAX_TITLE)}</title>`,
    `<channel>${shorten(escapeLine(video.channel.name), MAX_TITLE)}</channel>`,
    `<description>${shorten(escapeLine(video.description), MAX_DESCRIPTION)}</description>`,
    `<language>${escapeLine(track.language)}</language>`,
    '</video>',
    `<${kind}>`,
  ]
  if (before) parts.push(`<before>${before}</before>`)
  for (const { id, text, chapters } of lines) {
    for (const title of chapters) parts.push(`<chapter>${title}</chapter>`)
    parts.push(`[${id}] ${text}`)
  }
  parts.push(`</${kind}>`)
  return parts.join('\n')
}
