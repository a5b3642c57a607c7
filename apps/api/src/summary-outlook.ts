import { selectTrack } from '@subtext/captions'
import { type CaptionTrack, EXTRACTIVE } from '@subtext/contracts'
import type { SummaryOutlook } from '@subtext/core/estimates'
import { createCostComputer } from '@subtext/llm'
import { promptLimitsOf } from '@subtext/llm/settings'
import {
  buildExtractionKey,
  buildExtractionVersion,
  buildInfographicKey,
  buildPromptVersion,
  buildSummaryKey,
  createExtractiveSummarizer,
  createForecaster,
  INFOGRAPHIC_VERSION,
  selectSummaryLanguage,
} from '@subtext/summarize'
import type { ApiEnv } from './env.ts'

type OutlookEnv = Pick<
  ApiEnv,
  | 'SUMMARIZER'
  | 'SUMMARY_MODEL'
  | 'SUMMARY_MAX_PROMPT_TOKENS'
  | 'MODEL_CONTEXT_TOKENS'
  | 'MODEL_PRICES'
  | 'ANTHROPIC_API_KEY'
  | 'INFOGRAPHICS_ENABLED'
>

const FREE = { costUsd: { low: 0, expected: 0, high: 0 }, tokens: { input: 0, output: 0 } }

/** Creates what estimates need to know of the workers, which have the same settings. */
export function createSummaryOutlook(env: OutlookEnv): SummaryOutlook {
  const isExtractive = env.SUMMARIZER === 'extractive' || !env.ANTHROPIC_API_KEY
  const limits = promptLimitsOf(env)
  const summarizer = isExtractive
    ? createExtractiveSummarizer()
    : { model: env.SUMMARY_MODEL, promptVersion: buildPromptVersion(limits), canTranslate: true }
  const { model, promptVersion } = summarizer
  const selectLanguage = (wanted: string | undefined, track: CaptionTrack) =>
    selectSummaryLanguage(wanted, track.language, summarizer)
  const computeCostUsd = createCostComputer(env.MODEL_PRICES)
  return {
    model,
    selectTrack: ({ language, track_preference }, { info, tracks }) =>
      selectTrack(tracks, { language, spokenLanguage: info?.language ?? null, preference: track_preference }),
    buildKey: ({ track, outputLanguage, ...summary }) =>
      buildSummaryKey({
        ...summary,
        model,
        promptVersion,
        language: selectLanguage(outputLanguage, track),
      }),
    hasInfographics: env.INFOGRAPHICS_ENABLED,
    buildInfographicKey: ({ track, outputLanguage, ...infographic }) =>
      buildInfographicKey({
        ...infographic,
        version: INFOGRAPHIC_VERSION,
        model,
        language: selectLanguage(outputLanguage, track),
      }),
    buildExtractionKey: ({ track, outputLanguage, ...extraction }) =>
      buildExtractionKey({
        ...extraction,
        version: buildExtractionVersion(limits),
        model,
        language: selectLanguage(outputLanguage, track),
      }),
    learn: (samples) =>
      model === EXTRACTIVE ? () => FREE : createForecaster({ model, computeCostUsd, limits }, samples),
  }
}
