import { type Cue, type Segment, SUMMARY_MODES } from '@subtext/contracts'
import { buildCitations, type CitationTarget } from './citations.ts'
import { inBatches, inPieces } from './in-pieces.ts'
import { createParagraphs, type Paragraph } from './paragraphs.ts'
import { describeQuality, describeSummaryQuality } from './quality.ts'
import type { RenderableResult } from './renderable-result.ts'
import { renderSummaryMarkdown, renderSummaryText } from './summary.ts'
import { markdownSyntax } from './syntax.ts'
import { writeTranscript } from './transcript.ts'

type ResultSummary = RenderableResult['summaries'][number]

/** JSON that is also safe within a script: the two line separators of Unicode are escaped. */
const writeJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (char) => (char === '\u2028' ? '\\u2028' : '\\u2029'))

/** Folded text, which holds no such separators, as it stands between the quotes of a JSON string. */
const writeFoldedText = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The object up to the transcript's own language and so on, open for one more field of the transcript. */
const writeHead = (result: RenderableResult, format: 'markdown' | 'json'): string => {
  const { track } = result
  const head = writeJson({
    job_id: result.jobId,
    format,
    video_info: result.videoInfo,
    transcript: {
      language: track.language,
      kind: track.kind,
      name: track.name,
      selection_reason: result.selectionReason,
      truncated: result.truncated,
      cleaning: result.cleaning ?? undefined,
    },
  })
  return head.slice(0, -'}}'.length)
}

/** The rest of the object after the transcript. */
const writeTail = (
  result: RenderableResult,
  present: (summary: ResultSummary, target: CitationTarget) => unknown,
  writeComment: (text: string) => string,
): string => {
  const target: CitationTarget = {
    videoId: result.videoInfo.video_id,
    startOf: (segmentId) => result.citedStarts.get(segmentId),
  }
  const summaries = SUMMARY_MODES.flatMap((mode) => result.summaries.filter((summary) => summary.mode === mode))
  const { service_name, agent_name, client_reference } = result.attribution
  const tail = writeJson({
    summaries: Object.fromEntries(summaries.map((summary) => [summary.mode, present(summary, target)])),
    comments: result.comments?.map((comment) => ({ ...comment, text: writeComment(comment.text) })),
    usage: result.usage,
    quality: describeQuality(result),
    processing_time: result.processingSeconds,
    completed_at: result.completedAt.toISOString(),
    service_name,
    agent_name,
    client_reference,
  })
  return `,${tail.slice('{'.length)}`
}

const MARKDOWN = { write: ({ text }: Paragraph) => markdownSyntax.paragraph(text), separator: '\n\n' }

const CUES_AT_ONCE = 500

/** Bytes of UTF-8 that `transcript.text` of `MarkdownResult` has for these cues. `pace` is called between small steps. */
export async function measureMarkdownText(cues: Cue[], pace: () => Promise<void>): Promise<number> {
  const { add, end } = createParagraphs()
  let bytes = 0
  let count = 0
  const measure = (paragraphs: Paragraph[]): void => {
    for (const paragraph of paragraphs) bytes += Buffer.byteLength(MARKDOWN.write(paragraph))
    count += paragraphs.length
  }
  for (let at = 0; at < cues.length; at += CUES_AT_ONCE) {
    measure(add(cues.slice(at, at + CUES_AT_ONCE)))
    await pace()
  }
  measure(end())
  return bytes + Math.max(0, count - 1) * MARKDOWN.separator.length
}

async function* writeMarkdownData(result: RenderableResult): AsyncGenerator<string> {
  yield `${writeHead(result, 'markdown')},"text":"`
  for await (const text of writeTranscript(result.cues(), MARKDOWN)) yield writeFoldedText(text)
  const tail = writeTail(
    result,
    ({ mode, content }, target) => renderSummaryMarkdown(mode, content, target),
    markdownSyntax.paragraph,
  )
  yield `"}${tail}`
}

const buildSegment = (cue: Cue, id: number): Segment => ({
  id,
  start: cue.startMs / 1000,
  duration: cue.durationMs / 1000,
  text: cue.text.toWellFormed(),
})

async function* writeStructuredData(result: RenderableResult): AsyncGenerator<string> {
  yield `${writeHead(result, 'json')},"segments":[`
  let count = 0
  for await (const batch of inBatches(result.cues())) {
    const segments = batch.map((cue) => writeJson(buildSegment(cue, ++count)))
    if (segments.length > 0) yield `${count > batch.length ? ',' : ''}${segments.join(',')}`
  }
  const tail = writeTail(
    result,
    ({ mode, content, model, quality }, target) => ({
      text: renderSummaryText(mode, content, target),
      citations: buildCitations(content, target),
      model,
      quality: describeSummaryQuality(quality),
    }),
    (text) => text,
  )
  yield `]}${tail}`
}

/** JSON text of `MarkdownResult` in pieces: what stands as `data` in the default envelope. */
export const renderMarkdownData = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeMarkdownData(result))

/** JSON text of `StructuredResult` in pieces: `data` of `format=json` and of the event `job.completed`. */
export const renderStructuredData = (result: RenderableResult): AsyncIterable<string> =>
  inPieces(writeStructuredData(result))
