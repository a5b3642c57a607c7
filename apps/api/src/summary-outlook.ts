import { selectTrack } from '@subtext/captions'
import { EXTRACTIVE } from '@subtext/contracts'
import type { SummaryOutlook } from '@subtext/core/estimates'
import { createCostComputer } from '@subtext/llm'
import { type ModelEnv, promptLimitsOf } from '@subtext/llm/settings'
import {
  buildPromptVersion,
  buildSummaryKey,
  createExtractiveSummarizer,
  createForecaster,
  selectSummaryLanguage,
} from '@subtext/summarize'

type OutlookEnv = Pick<
  ModelEnv,
  | 'SUMMARIZER'
  | 'SUMMARY_MODEL'
  | 'SUMMARY_MAX_PROMPT_TOKENS'
  | 'MODEL_CONTEXT_TOKENS'
  | 'MODEL_PRICES'
  | 'ANTHROPIC_API_KEY'
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
        language: selectSummaryLanguage(outputLanguage, track.language, summarizer),
      }),
    learn: (samples) =>
      model === EXTRACTIVE ? () => FREE : createForecaster({ model, computeCostUsd, limits }, samples),
  }
}
