import { SUMMARY_MODES, type SummaryMode, type TrackKind } from '@subtext/contracts'
import { foldText } from './fold-text.ts'
import { inPieces } from './in-pieces.ts'
import type { RenderableResult } from './renderable-result.ts'
import { layOutSummary } from './summary.ts'
import { markdownSyntax, plainSyntax, type Syntax } from './syntax.ts'
import { writeTranscript } from './transcript.ts'
import { buildWatchUrl, formatClock } from './video-times.ts'

const MODE_HEADINGS: Record<SummaryMode, string> = {
  tldr: 'TL;DR',
  detailed: 'Detailed summary',
  study_notes: 'Study notes',
  timestamped: 'Timeline',
  key_insights: 'Key insights',
}

const KIND_NOTES: Record<TrackKind, string> = { manual: 'written captions', auto: 'automatic captions' }

const TRUNCATION_NOTE = 'Note: the transcript was cut at the maximum length and ends before the video does.'

const layOutHead = (syntax: Syntax, { videoInfo, track }: RenderableResult): string[] => {
  const { title, video_id, channel, duration_seconds, published_at } = videoInfo
  const facts = [
    foldText(channel.name) === '' ? '' : syntax.item(`Channel: ${channel.name}`),
    `URL: ${syntax.address(buildWatchUrl(video_id))}`,
    duration_seconds > 0 ? `Duration: ${formatClock(duration_seconds * 1000)}` : '',
    published_at === null ? '' : syntax.item(`Published: ${published_at.slice(0, 'yyyy-mm-dd'.length)}`),
    syntax.item(`Language: ${track.language} (${KIND_NOTES[track.kind]})`),
  ]
  const heading = foldText(title) === '' ? video_id : title
  return [syntax.heading(1, heading), syntax.list(facts.filter((fact) => fact !== ''))]
}

const layOutSummaries = (syntax: Syntax, { summaries, citedStarts, videoInfo }: RenderableResult): string[] => {
  const target = { videoId: videoInfo.video_id, startOf: (segmentId: number) => citedStarts.get(segmentId) }
  const blocks = SUMMARY_MODES.flatMap((mode) =>
    summaries
      .filter((summary) => summary.mode === mode)
      .flatMap(({ content }) => [
        syntax.heading(3, MODE_HEADINGS[mode]),
        layOutSummary({ syntax, target, level: 4 }, mode, content),
      ]),
  )
  return blocks.length > 0 ? [syntax.heading(2, 'Summary'), ...blocks] : []
}

async function* writeDocument(syntax: Syntax, result: RenderableResult): AsyncGenerator<string> {
  const blocks = [
    ...layOutHead(syntax, result),
    ...layOutSummaries(syntax, result),
    syntax.heading(2, 'Transcript'),
    result.truncated ? syntax.paragraph(TRUNCATION_NOTE) : '',
  ]
  yield `${syntax.join(blocks)}\n\n`
  yield* writeTranscript(result.cues(), syntax.paragraph)
  yield '\n'
}

/** The whole result as a Markdown document, in pieces. */
export const renderMarkdownDocument = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeDocument(markdownSyntax, result))

/** The whole result as a plain text document, in pieces. */
export const renderTextDocument = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeDocument(plainSyntax, result))
