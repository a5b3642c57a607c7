import { LONG_SECONDS, type Metrics } from '@subtext/runtime'
import { FAILURE_KIND_NAMES } from './failures.ts'
import type { TextModelAnswer, TextModelUsage } from './text-model.ts'

/** `aborted`: the job ended before the call did; `unexpected`: a bug of ours. */
const OUTCOMES = [
  ...(['answered', 'refused', 'cut', 'too_long'] as const),
  ...FAILURE_KIND_NAMES,
  ...(['aborted', 'unexpected'] as const),
]
const KINDS = ['input', 'cache_write', 'cache_read', 'output'] as const
export type CountedOutcome = (typeof OUTCOMES)[number]

/** Metrics of one model. Labels come from small sets and never hold a prompt, a key or a message of the provider. */
export interface ModelMonitor {
  /** Counts an attempt, retries included, with the seconds from sending it to its end. */
  countCall(labels: { outcome: CountedOutcome }, seconds: number): void
  /** Records the time from sending an attempt to the beginning of its answer. */
  countStart(seconds: number): void
  /** Counts the usage of an attempt, successful or not. */
  countUsage(usage: TextModelUsage): void
  /** Counts a document that should have been cached and was not. The provider does not say when one is too short for it. */
  countUncachedPrefix(): void
}

/** Creates the monitor of a model. */
export type CreateModelMonitor = (model: string, priceUsage: (usage: TextModelUsage) => number) => ModelMonitor

/** Creates the metrics of model calls. */
export function createModelMetrics({ counter, duration }: Pick<Metrics, 'counter' | 'duration'>): CreateModelMonitor {
  const MODEL = 'name of the model'
  const calls = counter(
    'subtext_model_calls_total',
    'Calls of the language model, retries included. Answered: `answered`, `refused`, `cut`, `too_long`. Action needed: `unauthorized`, `billing`, `not_found`. `aborted` ended together with their job, and `unexpected` is a bug in Subtext.',
    { model: MODEL, outcome: OUTCOMES },
  )
  const seconds = duration(
    'subtext_model_call_seconds',
    'Duration of calls, from sending the prompt to the end of the answer or the failure.',
    { model: MODEL },
    LONG_SECONDS,
  )
  const firstToken = duration(
    'subtext_model_first_token_seconds',
    'Time from sending the prompt to the beginning of the answer.',
    { model: MODEL },
    LONG_SECONDS,
  )
  const tokens = counter('subtext_model_tokens_total', 'Tokens of calls, including those of failed ones.', {
    model: MODEL,
    kind: KINDS,
  })
  const cost = counter('subtext_model_cost_usd_total', 'Cost of calls in US dollars, by `MODEL_PRICES`.', {
    model: MODEL,
  })
  const uncached = counter(
    'subtext_model_uncached_prefixes_total',
    "Calls whose transcript should have been in the provider's cache and was not.",
    { model: MODEL },
  )
  return (model, priceUsage) => {
    for (const outcome of OUTCOMES) calls({ model, outcome }, 0)
    for (const kind of KINDS) tokens({ model, kind }, 0)
    cost({ model }, 0)
    uncached({ model }, 0)
    return {
      countCall({ outcome }, duration) {
        calls({ model, outcome })
        seconds({ model }, duration)
      },
      countStart: (duration) => firstToken({ model }, duration),
      countUsage(usage) {
        tokens({ model, kind: 'input' }, usage.inputTokens)
        tokens({ model, kind: 'cache_write' }, usage.cacheWriteTokens)
        tokens({ model, kind: 'cache_read' }, usage.cachedInputTokens)
        tokens({ model, kind: 'output' }, usage.outputTokens)
        cost({ model }, priceUsage(usage))
      },
      countUncachedPrefix: () => uncached({ model }),
    }
  }
}

const doNothing = () => undefined

export const NO_MONITOR: ModelMonitor = {
  countCall: doNothing,
  countStart: doNothing,
  countUsage: doNothing,
  countUncachedPrefix: doNothing,
}

const ANSWER_OUTCOMES: Record<TextModelAnswer['stop'], CountedOutcome> = {
  complete: 'answered',
  refused: 'refused',
  cut: 'cut',
  'too-long': 'too_long',
}

interface CountedAnswer {
  answer: TextModelAnswer
  /** Whether the document should have been in the cache, or written to it. */
  isCached: boolean
  seconds: number
}

/** Counts an answer, what it used, and a document that missed the cache. */
export function countAnswer(monitor: ModelMonitor, { answer, isCached, seconds }: CountedAnswer): void {
  const { stop, usage } = answer
  const { inputTokens, cacheWriteTokens, cachedInputTokens } = usage
  monitor.countCall({ outcome: ANSWER_OUTCOMES[stop] }, seconds)
  monitor.countUsage(usage)
  if (isCached && inputTokens > 0 && cacheWriteTokens + cachedInputTokens === 0) monitor.countUncachedPrefix()
}
