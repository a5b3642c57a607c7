import type { PricedModel } from '@subtext/llm'
import { promptLimitsOf } from '@subtext/llm/settings'
import {
  createExtractor,
  createInfographicWriter,
  createModelSummarizer,
  type Extractor,
  type InfographicWriter,
  type Summarizer,
  withFallback,
} from '@subtext/summarize'
import type { WorkerEnv } from './env.ts'
import { createInfographics, type Infographics } from './infographics.ts'
import type { WorkerMetrics } from './metrics.ts'

export interface WritingParts {
  extractive: Summarizer
  model: PricedModel | null
  metrics: WorkerMetrics
}

/** What writes for jobs. */
export interface Writers {
  summarizer: Summarizer
  /** Fills templates. */
  extractor: Extractor
  /** Null if infographics are disabled. */
  infographics: Infographics | null
}

/** Creates what writes summaries, templates and infographics. */
export const createWriters = (
  env: WorkerEnv,
  parts: WritingParts,
  renderer: Parameters<typeof createInfographics>[1],
): Writers => ({
  summarizer: createSummarizer(env, parts),
  extractor: createTemplateFiller(env, parts),
  infographics: env.INFOGRAPHICS_ENABLED
    ? createInfographics(createWriter(env, parts), renderer, parts.metrics.countInfographic)
    : null,
})

function createSummarizer(env: WorkerEnv, { extractive, model, metrics }: WritingParts): Summarizer {
  if (!model) return extractive
  const summarizer = createModelSummarizer(model.model, {
    computeCostUsd: model.computeCostUsd,
    ...promptLimitsOf(env),
    countUnusable: metrics.countUnusable,
  })
  return withFallback(summarizer, extractive)
}

const createWriter = (env: WorkerEnv, { extractive, model, metrics }: WritingParts): InfographicWriter =>
  createInfographicWriter({
    extractive,
    model: model?.model ?? null,
    computeCostUsd: model?.computeCostUsd,
    countUnusable: metrics.countUnusable,
    limits: promptLimitsOf(env),
  })

const createTemplateFiller = (env: WorkerEnv, { extractive, model, metrics }: WritingParts): Extractor =>
  createExtractor({
    extractive,
    model: model?.model ?? null,
    computeCostUsd: model?.computeCostUsd,
    countUnusable: metrics.countUnusable,
    ...promptLimitsOf(env),
  })
