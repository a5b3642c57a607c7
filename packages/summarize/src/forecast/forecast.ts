import {
  type Forecast,
  type ForecastRequest,
  type ForecastScenario,
  SUMMARY_MODES,
  type TranscriptSize,
  type UsageSample,
} from '@subtext/contracts'
import type { ComputeCostUsd, TextModelUsage } from '@subtext/llm'
import type { PromptLimits } from '../model/limits.ts'
import { type PlannedCall, planCall, planCalls, planExtraction, planInfographic, type Written } from './plan-calls.ts'
import { estimateSpread, type Spread } from './spread.ts'
import { isForeign } from './transcript-size.ts'

export type ForecastSummaries = (request: ForecastRequest) => Forecast

interface ForecasterOptions {
  model: string
  computeCostUsd: ComputeCostUsd
  limits: PromptLimits
}

const PROMPT_DEVIATION = 0.15
/** Token counts of models differ more for other scripts. */
const FOREIGN_PROMPT_DEVIATION = 0.5
const OUTPUT_DEVIATION = 0.45
/** With fewer samples of a mode, the samples of all modes are used. */
const MIN_SAMPLES = 4
/** Below `never`, no model caches a prefix; above `always`, every model does. */
const CACHEABLE_TOKENS = { never: 1_000, always: 4_500 }
/** Share of the lines of a transcript that name numbers. */
const NUMBER_SHARE: Record<ForecastScenario, number> = { low: 0, expected: 0.2, high: 1 }
/** Calls for an infographic. An answer that cannot be used is repaired once. */
const INFOGRAPHIC_CALLS: Record<ForecastScenario, number> = { low: 1, expected: 1, high: 2 }
/** The same for a template. */
const FILLINGS: Record<ForecastScenario, number> = { low: 1, expected: 1, high: 2 }
/** The plan may differ for a transcript near a limit of the summarizer. */
const NEAR_LIMITS = [0.96, 1, 1.04]

/** Creates a forecast of the cost of summaries and infographics, based on how such calls are made and what earlier ones took. */
export function createForecaster(
  { model, computeCostUsd, limits }: ForecasterOptions,
  samples: readonly UsageSample[] = [],
): ForecastSummaries {
  const spreads = learnSpreads(samples)
  return ({ size, modes, instructions, cached, hasNotes, infographic, templates = 0 }) => {
    const planPicture = (scenario: ForecastScenario): PlannedCall[] => {
      if (!infographic) return []
      const numberShare = NUMBER_SHARE[scenario]
      const call = planInfographic({ size: size[scenario], modes: infographic, instructions, limits, numberShare })
      return Array.from({ length: INFOGRAPHIC_CALLS[scenario] }, () => call)
    }
    const price = (scenario: ForecastScenario): TextModelUsage[][] =>
      (scenario === 'expected' ? [1] : NEAR_LIMITS).map((lineFactor) =>
        [
          ...planCalls(size[scenario], modes, {
            instructions,
            limits,
            lineFactor,
            hasNotes: hasNotes && (scenario === 'low' || (scenario === 'expected' && instructions === null)),
          }),
          ...planPicture(scenario),
          ...Array.from({ length: templates * FILLINGS[scenario] }, () =>
            planExtraction(size[scenario], { instructions, limits }),
          ).flat(),
        ].map((call) => toUsage(call, { scenario, cached, spreads: spreads(size[scenario]) })),
      )
    const costs = (scenario: ForecastScenario): number[] =>
      price(scenario).map((calls) => calls.reduce((sum, usage) => sum + computeCostUsd(model, usage), 0))
    const expected = costs('expected')[0] ?? 0
    const [usages = []] = price('expected')
    const sum = (pick: (usage: TextModelUsage) => number) => usages.reduce((total, usage) => total + pick(usage), 0)
    return {
      costUsd: {
        low: Math.min(expected, ...costs('low')),
        expected,
        high: Math.max(expected, ...costs('high')),
      },
      tokens: {
        input: sum(
          ({ inputTokens, cachedInputTokens, cacheWriteTokens }) => inputTokens + cachedInputTokens + cacheWriteTokens,
        ),
        output: sum(({ outputTokens }) => outputTokens),
      },
    }
  }
}

interface Spreads {
  prompt: Spread
  output: (written: string) => Spread
}

/** Returns how much calls about a transcript of a size differ from the plan. */
function learnSpreads(samples: readonly UsageSample[]): (size: TranscriptSize) => Spreads {
  const planned = samples.map((sample) => ({
    ...sample,
    foreign: isForeign(sample.size),
    call: planCall({ writes: [sample.written], size: sample.size, instructions: null, cache: 'none' }),
  }))
  const promptFactors = (foreign: boolean): number[] =>
    planned.flatMap(({ promptTokens, call, foreign: isOther }) =>
      promptTokens === null || isOther !== foreign ? [] : [promptTokens / (call.prefixTokens + call.instructionTokens)],
    )
  const outputFactors = (isMeant: (written: Written) => boolean): number[] =>
    planned
      .filter(({ written }) => isMeant(written))
      .map(({ outputTokens, call, written: of }) => outputTokens / (call.outputTokens[of] ?? outputTokens))
  const prompts = {
    latin: estimateSpread(promptFactors(false), PROMPT_DEVIATION),
    foreign: estimateSpread(promptFactors(true), FOREIGN_PROMPT_DEVIATION),
  }
  const all = outputFactors((written) => written !== 'infographic')
  const outputs = new Map<string, Spread>(
    [...SUMMARY_MODES, 'notes'].map((written) => {
      const own = outputFactors((other) => other === written)
      return [written, estimateSpread(own.length >= MIN_SAMPLES ? own : all, OUTPUT_DEVIATION)]
    }),
  )
  // Its form has little in common with the others.
  const ofInfographics = outputFactors((written) => written === 'infographic')
  outputs.set('infographic', estimateSpread(ofInfographics, OUTPUT_DEVIATION))
  const unknown = estimateSpread([], OUTPUT_DEVIATION)
  return (size) => ({
    prompt: isForeign(size) ? prompts.foreign : prompts.latin,
    output: (written) => outputs.get(written) ?? unknown,
  })
}

interface UsageOptions {
  scenario: ForecastScenario
  cached: ForecastRequest['cached']
  spreads: Spreads
}

function toUsage(call: PlannedCall, { scenario, cached, spreads }: UsageOptions): TextModelUsage {
  const prefix = Math.round(call.prefixTokens * spreads.prompt[scenario])
  const rest = Math.round(call.instructionTokens * spreads.prompt[scenario])
  const output = Object.entries(call.outputTokens).reduce(
    (sum, [written, tokens]) => sum + Math.round(tokens * spreads.output(written)[scenario]),
    0,
  )
  const usage = { inputTokens: rest, outputTokens: output, cachedInputTokens: 0, cacheWriteTokens: 0 }
  const isWarm = cached === 'likely' ? scenario !== 'high' : cached === 'maybe' && scenario === 'low'
  const use = selectCacheUse(call, isWarm, scenario)
  if (use === 'none') return { ...usage, inputTokens: rest + prefix }
  return use === 'read' ? { ...usage, cachedInputTokens: prefix } : { ...usage, cacheWriteTokens: prefix }
}

function selectCacheUse(
  { cache, prefixTokens }: PlannedCall,
  isWarm: boolean,
  scenario: ForecastScenario,
): 'none' | 'write' | 'read' {
  // Earlier calls that wrote a single summary have kept nothing.
  if (cache === 'kept') return isWarm && scenario === 'low' ? 'read' : 'none'
  if (cache === 'none' || prefixTokens < CACHEABLE_TOKENS.never) return 'none'
  const isCertain = prefixTokens >= CACHEABLE_TOKENS.always
  if (cache === 'read' || isWarm) return isCertain || scenario !== 'high' ? 'read' : 'none'
  // Writing to the cache costs more than not caching at all.
  return isCertain || scenario !== 'low' ? 'write' : 'none'
}
