import type { Metrics } from '@subtext/runtime'
import type { TextModelAnswer, TextModelUsage } from '../text-model.ts'
import type { FailureKind } from './classify-failure.ts'

/** `aborted`: the job was over before the call; `unexpected`: a mistake of ours. */
export type CallOutcome = 'answered' | 'refused' | 'cut' | 'too_long' | FailureKind | 'aborted' | 'unexpected'

/** Numbers for whoever runs the service. Labels come from small sets: no prompt, no key, no message of the provider. */
export interface ModelMonitor {
  /** Every call counts, those that are made again included. */
  countCall(labels: { outcome: CallOutcome }): void
  /** What a call has used, whether anything came of it or not. */
  countUsage(usage: TextModelUsage): void
  /** A document was meant to be kept by the provider, and was not: it says nothing where one is too short for that. */
  countUncachedPrefix(): void
}

export function createModelMonitor(
  { counter }: Pick<Metrics, 'counter'>,
  priceUsage: (usage: TextModelUsage) => number,
): ModelMonitor {
  const countTokens = counter('subtext_model_tokens_total', 'Tokens that calls of the model have used.', ['kind'])
  const addCost = counter('subtext_model_cost_usd_total', 'US dollars that calls of the model have cost.', [])
  const countUncachedPrefix = counter(
    'subtext_model_uncached_prefixes_total',
    'Calls whose document should have been in the cache of the model and was not.',
    [],
  )
  return {
    countCall: counter('subtext_model_calls_total', 'Calls of the model, by what became of them.', ['outcome']),
    countUsage(usage) {
      countTokens({ kind: 'input' }, usage.inputTokens)
      countTokens({ kind: 'cache_write' }, usage.cacheWriteTokens)
      countTokens({ kind: 'cache_read' }, usage.cachedInputTokens)
      countTokens({ kind: 'output' }, usage.outputTokens)
      addCost({}, priceUsage(usage))
    },
    countUncachedPrefix: () => countUncachedPrefix({}),
  }
}

const SILENT = () => undefined

export const SILENT_MONITOR: ModelMonitor = { countCall: SILENT, countUsage: SILENT, countUncachedPrefix: SILENT }

const OUTCOMES: Record<TextModelAnswer['stop'], CallOutcome> = {
  complete: 'answered',
  refused: 'refused',
  cut: 'cut',
  'too-long': 'too_long',
}

export const outcomeOf = ({ stop }: TextModelAnswer): CallOutcome => OUTCOMES[stop]
