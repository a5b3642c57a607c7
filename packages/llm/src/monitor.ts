import type { Metrics } from '@subtext/runtime'
import type { FailureKind } from './failures.ts'
import type { TextModelAnswer, TextModelUsage } from './text-model.ts'

/** `aborted`: the job ended before the call did; `unexpected`: a bug of ours. */
export type CountedOutcome = 'answered' | 'refused' | 'cut' | 'too_long' | FailureKind | 'aborted' | 'unexpected'

/** Metrics for operators. Labels come from small sets and never hold a prompt, a key or a message of the provider. */
export interface ModelMonitor {
  /** Counts every attempt, retries included. */
  countCall(labels: { outcome: CountedOutcome }): void
  /** Counts the usage of an attempt, successful or not. */
  countUsage(usage: TextModelUsage): void
  /** Counts a document that should have been cached and was not. The provider does not say when one is too short for it. */
  countUncachedPrefix(): void
}

export function createModelMonitor(
  { counter }: Pick<Metrics, 'counter'>,
  priceUsage: (usage: TextModelUsage) => number,
): ModelMonitor {
  const countTokens = counter('subtext_model_tokens_total', 'Tokens used by model calls, by kind.', ['kind'])
  const addCost = counter('subtext_model_cost_usd_total', 'Cost of model calls in US dollars.', [])
  const countUncachedPrefix = counter(
    'subtext_model_uncached_prefixes_total',
    'Model calls whose document should have been in the prompt cache and was not.',
    [],
  )
  return {
    countCall: counter('subtext_model_calls_total', 'Model calls, by outcome.', ['outcome']),
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

const doNothing = () => undefined

export const NO_MONITOR: ModelMonitor = {
  countCall: doNothing,
  countUsage: doNothing,
  countUncachedPrefix: doNothing,
}

const OUTCOMES: Record<TextModelAnswer['stop'], CountedOutcome> = {
  complete: 'answered',
  refused: 'refused',
  cut: 'cut',
  'too-long': 'too_long',
}

/** Counts an answer, what it used, and a document that missed the cache. */
export function countAnswer(monitor: ModelMonitor, isCached: boolean, { stop, usage }: TextModelAnswer): void {
  const { inputTokens, cacheWriteTokens, cachedInputTokens } = usage
  monitor.countCall({ outcome: OUTCOMES[stop] })
  monitor.countUsage(usage)
  if (isCached && inputTokens > 0 && cacheWriteTokens + cachedInputTokens === 0) monitor.countUncachedPrefix()
}
