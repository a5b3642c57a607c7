import { satisfiesLanguage } from '@subtext/captions'
import { EXTRACTIVE, type Summary, type Warning } from '@subtext/contracts'
import type { UnwrittenReason, UnwrittenSummary } from './summarizer.ts'

const UNWRITTEN_REASONS: Record<Exclude<UnwrittenReason, 'over-limit'>, string> = {
  declined: 'the language model declined to summarize this video',
  'too-long': 'the transcript is too long for the language model',
  unusable: 'the language model gave no usable answer',
  wordless: 'the transcript has no words to summarize',
  unavailable: 'the language model is currently unavailable',
}

interface SummaryFacts {
  summaries: Pick<Summary, 'mode' | 'model' | 'quality'>[]
  unwritten: UnwrittenSummary[]
  /** Whether a language model is configured. */
  hasModel: boolean
  /** Language of the transcript. */
  language: string
  /** Language that was requested for the summaries. */
  outputLanguage: string | undefined
}

/** Lists what the summaries of a transcript do differently from what was requested. */
export function listSummaryWarnings(facts: SummaryFacts): Warning[] {
  const { summaries, unwritten } = facts
  const overLimit = unwritten.filter(({ reason }) => reason === 'over-limit').map(({ mode }) => `\`${mode}\``)
  const warnings = unwritten.flatMap(({ mode, reason }): Warning[] =>
    reason === 'over-limit'
      ? []
      : [
          {
            code: 'SUMMARY_MODE_UNAVAILABLE',
            message: `The summary \`${mode}\` could not be written: ${UNWRITTEN_REASONS[reason]}.`,
          },
        ],
  )
  if (overLimit.length > 0) {
    warnings.push({
      code: 'COST_LIMIT_REACHED',
      message: `Not written, because the cost would not fit into a spending limit: ${overLimit.join(', ')}.`,
    })
  }
  warnings.push(...listExtractiveWarnings(facts))
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
  return warnings
}

/** Lists the limits of summaries that consist of sentences of the transcript. */
function listExtractiveWarnings({ summaries, hasModel, language, outputLanguage }: SummaryFacts): Warning[] {
  const extractive = summaries.filter((summary) => summary.model === EXTRACTIVE).map(({ mode }) => `\`${mode}\``)
  if (extractive.length === 0) return []
  const message = hasModel
    ? `The language model gave no usable answer for ${extractive.join(', ')}. Sentences of the transcript are used instead.`
    : 'The summaries consist of sentences of the transcript, since no language model is configured.'
  const warnings: Warning[] = [{ code: 'EXTRACTIVE_SUMMARY', message }]
  if (outputLanguage && !satisfiesLanguage(outputLanguage, language)) {
    const which = hasModel ? extractive.join(', ') : 'The summaries'
    warnings.push({
      code: 'OUTPUT_LANGUAGE_NOT_AVAILABLE',
      message: `In \`${language}\`: ${which}. Without a language model, summaries are in the language of the transcript.`,
    })
  }
  return warnings
}
