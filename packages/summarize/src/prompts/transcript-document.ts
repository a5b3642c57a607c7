import type { CaptionTrack, Cue, VideoInfo } from '@subtext/contracts'
import { formatClock } from '@subtext/render'
import { estimateLineTokens } from '../model/estimate-tokens.ts'
import type { SummarySource } from '../summarizer.ts'
import { escapeLine } from './escape-line.ts'

/** Maximum length of a description in code points. Descriptions begin with the subject; links and advertising follow. */
const MAX_DESCRIPTION = 1_000
const MAX_TITLE = 500
const DAY_LENGTH = 'yyyy-mm-dd'.length
/** Factor for these lengths in a small context window. */
const SMALL_SHARE = 0.15

/** A numbered line of a document, with all texts escaped. */
export interface PromptLine {
  id: number
  text: string
  startMs: number
  /** Chapter titles right above it. */
  chapters: string[]
  /** The last line of a passage, which has the number of its first one. */
  lastId?: number | undefined
}

/** Builds the numbered lines of a transcript. Calls `pace` between small steps of the work. */
export async function buildTranscriptLines(
  { video, cues }: Pick<SummarySource, 'video' | 'cues'>,
  pace: () => Promise<void>,
): Promise<PromptLine[]> {
  const upcoming = orderChapters(video)
  const lines: PromptLine[] = []
  let chapters: string[] = []
  for (const [index, { startMs, text: spoken }] of cues.entries()) {
    await pace()
    chapters.push(...takeChapters(upcoming, startMs))
    const text = escapeLine(spoken)
    if (text === '') continue
    lines.push({ id: index + 1, text, startMs, chapters })
    chapters = []
  }
  return lines
}

/** Writes the names of speakers before what they say, so that claims about them can be checked like all others. */
export const nameSpeakers = (cues: Cue[]): Cue[] =>
  cues.some(({ speaker }) => speaker !== undefined)
    ? cues.map((cue) => (cue.speaker === undefined ? cue : { ...cue, text: `${cue.speaker}: ${cue.text}` }))
    : cues

/** Estimates the tokens of lines, erring on the high side. */
export const countLineTokens = (lines: PromptLine[]): number =>
  lines.reduce((sum, line) => sum + estimateLineTokens(line), 0)

export interface UpcomingChapter {
  startMs: number
  title: string
}

/** Returns the chapters by time, with escaped titles. */
export const orderChapters = ({ chapters }: VideoInfo): UpcomingChapter[] =>
  chapters
    .map(({ start, title }) => ({ startMs: start * 1_000, title: shorten(escapeLine(title), MAX_TITLE) }))
    .sort((a, b) => a.startMs - b.startMs)

/** Removes the chapters that have begun by then from the list and returns their titles. */
export function takeChapters(upcoming: UpcomingChapter[], startMs: number): string[] {
  const titles: string[] = []
  for (let next = upcoming[0]; next && next.startMs <= startMs; next = upcoming[0]) {
    if (next.title !== '') titles.push(next.title)
    upcoming.shift()
  }
  return titles
}

function shorten(text: string, max: number): string {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max).join('')}…` : text
}

export interface TranscriptDocumentOptions {
  /** The kind of document that the numbered lines are from. */
  kind: 'transcript' | 'notes' | 'passages'
  /** The last words before the part. */
  before?: string
  /** Shortens the publisher's texts more than usual, for a model with a small context window. */
  isShort?: boolean
}

/**
 * Builds the document that the model reads: the publisher's title, channel, description, language, date and duration, then a
 * `[12] text` line for each of `lines`. The same source gives the same bytes, as the provider's cache requires.
 */
export function buildDocument(
  { video, track }: Pick<SummarySource, 'video'> & { track: Pick<CaptionTrack, 'language'> },
  lines: PromptLine[],
  { kind, before, isShort = false }: TranscriptDocumentOptions,
): string {
  const share = isShort ? SMALL_SHARE : 1
  const parts = [
    video.source?.kind === 'import' ? `<video id="${video.video_id}">` : '<video>',
    `<title>${shorten(escapeLine(video.title), MAX_TITLE * share)}</title>`,
    `<channel>${shorten(escapeLine(video.channel.name), MAX_TITLE * share)}</channel>`,
    `<description>${shorten(escapeLine(video.description), MAX_DESCRIPTION * share)}</description>`,
    `<language>${escapeLine(track.language)}</language>`,
    ...(video.published_at === null ? [] : [`<published>${video.published_at.slice(0, DAY_LENGTH)}</published>`]),
    ...(video.duration_seconds > 0 ? [`<duration>${formatClock(video.duration_seconds * 1_000)}</duration>`] : []),
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
