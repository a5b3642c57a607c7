import { type Cue, type Segment, SUMMARY_MODES, type VideoInfo } from '@subtext/contracts'
import { buildCitations, type CitationTarget } from './citations.ts'
import { describeExtractions } from './extractions.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import { streamArray, streamString, writeJson } from './json-stream.ts'
import { createParagraphs, type Paragraph } from './paragraphs.ts'
import { describeQuality, describeSummaryQuality } from './quality.ts'
import type { RenderableResult } from './renderable-result.ts'
import { renderSummaryMarkdown, renderSummaryText } from './summary.ts'
import { markdownSyntax } from './syntax.ts'
import { writeTranscript } from './transcript.ts'
import { placeOf } from './video-times.ts'

type ResultSummary = RenderableResult['summaries'][number]

/** Results from before there were imports do not say where their captions are from. */
const describeVideo = (info: VideoInfo): VideoInfo => ({ ...info, source: info.source ?? { kind: 'video' } })

const describeTranscript = ({ track, selectionReason, truncated, cleaning }: RenderableResult) => ({
  language: track.language,
  kind: track.kind,
  name: track.name,
  selection_reason: selectionReason,
  truncated,
  cleaning: cleaning ?? undefined,
})

/** Returns the fields of a result after its transcript. The two formats differ only in how texts are presented. */
const describeRest = (
  result: RenderableResult,
  presentSummary: (summary: ResultSummary, target: CitationTarget) => unknown,
  presentComment: (text: string) => string,
) => {
  const target: CitationTarget = {
    place: placeOf(result.videoInfo),
    startOf: (segmentId) => result.citedStarts.get(segmentId),
  }
  const summaries = SUMMARY_MODES.flatMap((mode) => result.summaries.filter((summary) => summary.mode === mode))
  const { service_name, agent_name, client_reference } = result.attribution
  return {
    summaries: Object.fromEntries(summaries.map((summary) => [summary.mode, presentSummary(summary, target)])),
    extractions: result.extractions && describeExtractions(result.extractions, target.place),
    comments: result.comments?.map((comment) => ({ ...comment, text: presentComment(comment.text) })),
    infographic_url: result.infographic?.url,
    infographic_alt_text: result.infographic?.altText,
    usage: result.usage,
    quality: describeQuality(result),
    processing_time: result.processingSeconds,
    completed_at: result.completedAt.toISOString(),
    service_name,
    agent_name,
    client_reference,
  }
}

const MARKDOWN = { write: ({ text }: Paragraph) => markdownSyntax.paragraph(text), separator: '\n\n' }

const CUES_PER_STEP = 500

/** Returns the size of `transcript.text` of `DefaultResult` in UTF-8 bytes. Calls `pace` between small steps. */
export async function measureMarkdownText(cues: Cue[], pace: () => Promise<void>): Promise<number> {
  const { add, end } = createParagraphs()
  let bytes = 0
  let count = 0
  const measure = (paragraphs: Paragraph[]): void => {
    for (const paragraph of paragraphs) bytes += Buffer.byteLength(MARKDOWN.write(paragraph))
    count += paragraphs.length
  }
  for (let at = 0; at < cues.length; at += CUES_PER_STEP) {
    measure(add(cues.slice(at, at + CUES_PER_STEP)))
    await pace()
  }
  measure(end())
  return bytes + Math.max(0, count - 1) * MARKDOWN.separator.length
}

async function* writeDefaultData(result: RenderableResult): AsyncGenerator<string> {
  yield* writeJson({
    job_id: result.jobId,
    status: 'completed',
    format: 'markdown',
    video_info: describeVideo(result.videoInfo),
    transcript: {
      ...describeTranscript(result),
      text: streamString(writeTranscript(result.cues(), MARKDOWN)),
    },
    ...describeRest(
      result,
      ({ mode, content }, target) => renderSummaryMarkdown(mode, content, target),
      markdownSyntax.paragraph,
    ),
  })
}

const buildSegment = (cue: Cue, id: number): Segment => ({
  id,
  start: cue.startMs / 1000,
  duration: cue.durationMs / 1000,
  text: cue.text.toWellFormed(),
  ...(cue.speaker !== undefined && { speaker: cue.speaker.toWellFormed() }),
})

async function* buildSegments(cues: AsyncIterable<Cue[]>): AsyncGenerator<Segment[]> {
  let count = 0
  for await (const batch of inBatches(cues)) yield batch.map((cue) => buildSegment(cue, ++count))
}

async function* writeStructuredData(result: RenderableResult): AsyncGenerator<string> {
  yield* writeJson({
    job_id: result.jobId,
    status: 'completed',
    format: 'json',
    video_info: describeVideo(result.videoInfo),
    transcript: {
      ...describeTranscript(result),
      segments: streamArray(buildSegments(result.cues())),
    },
    ...describeRest(
      result,
      ({ mode, content, model, quality }, target) => ({
        text: renderSummaryText(mode, content, target),
        citations: buildCitations(content, target),
        model,
        quality: describeSummaryQuality(quality),
      }),
      (text) => text,
    ),
  })
}

/** Yields the JSON text of `DefaultResult` in pieces: `data` of the default format. */
export const renderDefaultData = (result: RenderableResult): AsyncIterable<string> => inPieces(writeDefaultData(result))

/** Yields the JSON text of `StructuredResult` in pieces: `data` of `format=json` and of the event `job.completed`. */
export const renderStructuredData = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeStructuredData(result))
