import { createHash } from 'node:crypto'
import { SUMMARY_MODES } from '@subtext/contracts'
import { stringify } from 'yaml'
import { walkChapters } from './chapters.ts'
import { OBSIDIAN_ESCAPES } from './escape-markdown.ts'
import { foldText } from './fold-text.ts'
import { inPieces } from './in-pieces.ts'
import { layOutOpening, titleOf } from './outline.ts'
import type { Paragraph } from './paragraphs.ts'
import type { RenderableResult } from './renderable-result.ts'
import { createMarkdownSyntax, linkMoment, type Moment } from './syntax.ts'
import { writeTranscript } from './transcript.ts'
import { buildWatchUrl, formatClock, placeOf } from './video-times.ts'

/** Characters that the YAML of some programs refuses, even between quotes. */
const UNPRINTABLE = /[\ufeff\ufffe\uffff]/gu
const toLine = (text: string): string => foldText(text.replace(UNPRINTABLE, ''))

/** Every text is quoted, so that nothing is read as a number, a date or the like: `no` is Norwegian. */
const STRINGIFY = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN', lineWidth: 0 } as const

function writeProperties({ jobId, videoInfo, track, summaries }: RenderableResult): string {
  const { video_id, channel, published_at } = videoInfo
  const properties = {
    job_id: jobId,
    video_id: toLine(video_id),
    title: toLine(titleOf(videoInfo)),
    channel: toLine(channel.name),
    url: buildWatchUrl(placeOf(videoInfo)),
    published: published_at && toLine(published_at).slice(0, 'yyyy-mm-dd'.length),
    language: toLine(track.language),
    modes: SUMMARY_MODES.filter((mode) => summaries.some((summary) => summary.mode === mode)),
  }
  return stringify(properties, STRINGIFY)
}

const blockId = (segmentId: number): string => `^s${segmentId}`

/** Yields what follows the properties. Each segment that is linked to begins a paragraph, because only blocks have an ID. */
async function* writeBody(result: RenderableResult): AsyncGenerator<string, void, undefined> {
  const place = placeOf(result.videoInfo)
  const linked = new Set<number>()
  const linkToBlock = (moment: Moment): string => {
    const { segmentId, startMs } = moment
    if (segmentId === undefined) return linkMoment(moment)
    linked.add(segmentId)
    return `[[#${blockId(segmentId)}|${formatClock(startMs)}]] [\u25b8](${buildWatchUrl(place, startMs)})`
  }
  // Obsidian has an outline of its own.
  const syntax = createMarkdownSyntax({ escapes: OBSIDIAN_ESCAPES, linkMoment: linkToBlock, contents: () => '' })
  yield `${layOutOpening(syntax, result)}\n\n`
  const { breaks, pass } = walkChapters(result.videoInfo)
  const write = ({ startMs, text, segments: [first] }: Paragraph): string => {
    const headings = pass(startMs).map((title) => `${syntax.heading({ level: 3, text: title })}\n\n`)
    const line = syntax.moment({ place, startMs }, text)
    const id = first?.at === 0 && linked.has(first.id) ? ` ${blockId(first.id)}` : ''
    return `${headings.join('')}${line}${id}`
  }
  const isBreak = (segmentId: number): boolean => linked.has(segmentId)
  yield* writeTranscript(result.cues(), { write, separator: '\n\n', breaks, isBreak })
  yield '\n'
}

/** UTF-16 code units. The body of a longer note is written twice instead of kept in memory. */
const MAX_KEPT_CHARS = 1024 ** 2

async function* writeNote(result: RenderableResult): AsyncGenerator<string, void, undefined> {
  const properties = writeProperties(result)
  const hash = createHash('sha256').update(`---\n${properties}---\n\n`)
  const kept: string[] = []
  let chars = 0
  for await (const text of writeBody(result)) {
    hash.update(text)
    chars += text.length
    if (chars <= MAX_KEPT_CHARS) kept.push(text)
    else kept.length = 0
  }
  yield `---\n${properties}subtext_hash: "${hash.digest('hex')}"\n---\n\n`
  if (chars <= MAX_KEPT_CHARS) yield* kept
  else yield* writeBody(result)
}

/**
 * Yields the result as a note for Obsidian, in pieces: Markdown with properties, in which each citation leads to its paragraph of
 * the transcript and to the moment of the video. `subtext_hash` is the SHA-256 of the note without the line of the hash, which
 * shows whether somebody has edited it.
 */
export const renderObsidianNote = (result: RenderableResult): AsyncIterable<string> => inPieces(writeNote(result))
