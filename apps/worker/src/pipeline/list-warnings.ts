import { satisfiesLanguage } from '@subtext/captions'
import { EXTRACTIVE, type VideoComment, type Warning } from '@subtext/contracts'
import type { Job, JobSummary } from '@subtext/db'
import type { UnwrittenReason } from '@subtext/summarize'
import type { WorkerContext } from '../context.ts'
import type { WrittenSummaries } from './write-summaries.ts'

const UNWRITTEN_REASONS: Record<UnwrittenReason, string> = {
  declined: 'the language model declined to summarize this video',
  'too-long': 'the transcript is too long for the language model',
  unusable: 'the language model gave no usable answer',
  wordless: 'the transcript has no words to summarize',
  unavailable: 'the language model is currently unavailable',
}

interface ResultFacts {
  truncated: boolean
  comments: VideoComment[] | null
  /** Language of the transcript. */
  language: string
}

/** Lists what the result does differently from what the job asked for. */
export function listWarnings(
  ctx: WorkerContext,
  job: Job,
  { summaries, unwritten }: WrittenSummaries,
  { truncated, comments, language }: ResultFacts,
): Warning[] {
  const warnings: Warning[] = unwritten.map(({ mode, reason }) => ({
    code: 'SUMMARY_MODE_UNAVAILABLE',
    message: `The summary \`${mode}\` could not be written: ${UNWRITTEN_REASONS[reason]}.`,
  }))
  if (truncated) {
    warnings.push({ code: 'TRANSCRIPT_TRUNCATED', message: 'The transcript was cut to `max_transcript_length`.' })
  }
  warnings.push(...listExtractiveWarnings(ctx, job, summaries, language))
  if (summaries.some(({ quality }) => quality?.injectionSuspected)) {
    warnings.push({
      code: 'INJECTION_SUSPECTED',
      message: 'The video contains what looks like instructions to a language model. They were treated as speech.',
    })
  }
  if (summaries.some(({ quality }) => quality?.isSampled)) {
    warnings.push({
      code: 'TRANSCRIPT_SAMPLED',
      message:
        'The transcript is too long to be read completely. The summaries are based on passages from all parts of it.',
    })
  }
  if (job.options.include_comments && !comments) {
    warnings.push({ code: 'COMMENTS_UNAVAILABLE', message: 'The comments are not available.' })
  }
  return warnings
}

/** Lists the limits of summaries that consist of sentences of the transcript. */
function listExtractiveWarnings(ctx: WorkerContext, job: Job, summaries: JobSummary[], language: string): Warning[] {
  const extractive = summaries.filter((summary) => summary.model === EXTRACTIVE).map(({ mode }) => `\`${mode}\``)
  if (extractive.length === 0) return []
  const isFallback = ctx.summarizer.model !== EXTRACTIVE
  const message = isFallback
    ? `The language model gave no usable answer for ${extractive.join(', ')}. Sentences of the transcript are used instead.`
    : 'The summaries consist of sentences of the transcript, since no language model is configured.'
  const warnings: Warning[] = [{ code: 'EXTRACTIVE_SUMMARY', message }]
  const wanted = job.options.output_language
  if (wanted && !satisfiesLanguage(wanted, language)) {
    const which = isFallback ? extractive.join(', ') : 'The summaries'
    warnings.push({
      code: 'OUTPUT_LANGUAGE_NOT_AVAILABLE',
      message: `In \`${language}\`: ${which}. Without a language model, summaries are in the language of the transcript.`,
    })
  }
  return warnings
}
