import { ServiceError, type Summary, type SummaryMode, type SummaryUsage } from '@subtext/contracts'
import { type ComputeCostUsd, createCostComputer } from '../model-prices.ts'
import type { SummarizeOptions, Summarizer, SummarySource, TextModel, UnwrittenSummary } from '../pipeline/ports.ts'
import { ANSWER_SCHEMA } from '../prompts/answer-schema.ts'
import { buildInstruction, MODE_PROMPTS } from '../prompts/instruction.ts'
import { PROMPT_VERSION, SYSTEM_RULES } from '../prompts/rules.ts'
import { buildTranscriptDocument } from '../prompts/transcript-document.ts'
import { parseAnswer } from './check-answer.ts'

const MAX_TRIES = 2

interface Work {
  model: TextModel
  computeCostUsd: ComputeCostUsd
  source: SummarySource
  document: string
  signal: AbortSignal
}

function addUsage(spent: SummaryUsage, call: Omit<SummaryUsage, 'costUsd'>, costUsd: number): SummaryUsage {
  return {
    inputTokens: spent.inputTokens + call.inputTokens,
    outputTokens: spent.outputTokens + call.outputTokens,
    cachedInputTokens: spent.cachedInputTokens + call.cachedInputTokens,
    cacheWriteTokens: spent.cacheWriteTokens + call.cacheWriteTokens,
    costUsd: spent.costUsd + costUsd,
  }
}

/** One summary, with what all tries for it cost. Throws `SUMMARY_UNAVAILABLE`. */
async function writeSummary(work: Work, mode: SummaryMode, onStart: () => void): Promise<Summary> {
  const { model, computeCostUsd, source, document, signal } = work
  const { effort, maxOutputTokens } = MODE_PROMPTS[mode]
  let usage: SummaryUsage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, costUsd: 0 }
  let room = maxOutputTokens
  let wasCut = false
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const answer = await model.complete({
      system: SYSTEM_RULES,
      document,
      instruction: buildInstruction(mode, source.instructions),
      schema: ANSWER_SCHEMA,
      effort,
      maxOutputTokens: room,
      signal,
      onStart,
    })
    usage = addUsage(usage, answer.usage, computeCostUsd(model.model, answer.usage))
    if (answer.stop === 'refused') {
      const message = 'The model declined to summarize this video.'
      throw new ServiceError('SUMMARY_UNAVAILABLE', { message, retryable: false })
    }
    wasCut = answer.stop === 'cut'
    const content = wasCut ? null : parseAnswer(answer.text, mode, source.cues.length)
    if (content) return { mode, content, model: model.model, usage }
    // The same room would end the same way.
    if (wasCut) room *= 2
  }
  throw wasCut
    ? new ServiceError('SUMMARY_UNAVAILABLE', { message: 'The summary became too long.', retryable: false })
    : new ServiceError('SUMMARY_UNAVAILABLE', { message: 'The model gave no usable summary.' })
}

/** Delivers one mode or says why not. Rejects only for what ends the whole work. */
async function deliverMode(
  work: Work,
  mode: SummaryMode,
  onStart: () => void,
  onSummary: SummarizeOptions['onSummary'],
): Promise<UnwrittenSummary | null> {
  let summary: Summary
  try {
    summary = await writeSummary(work, mode, onStart)
  } catch (error) {
    if (work.signal.aborted || !(error instanceof ServiceError)) throw error
    return { mode, error }
  }
  await onSummary(summary)
  return null
}

/**
 * Summaries by a language model, one call for each mode over the whole transcript. The first call has to begin
 * before the others are sent: they then read the transcript from the provider's cache instead of paying to write it.
 */
export function createModelSummarizer(model: TextModel, computeCostUsd = createCostComputer()): Summarizer {
  return {
    model: model.model,
    promptVersion: PROMPT_VERSION,
    async summarize(source, modes, { signal: outer, onSummary }) {
      const stop = new AbortController()
      const signal = AbortSignal.any([outer, stop.signal])
      const work: Work = { model, computeCostUsd, source, document: buildTranscriptDocument(source), signal }

      const deliveries: Promise<UnwrittenSummary | null>[] = []
      let isCached = false
      for (const mode of modes) {
        if (signal.aborted) break
        let onStart = () => {}
        const started = new Promise<void>((resolve) => {
          onStart = () => {
            isCached = true
            resolve()
          }
        })
        const delivery = deliverMode(work, mode, onStart, onSummary)
        const ended = delivery.then(
          () => {},
          (error) => stop.abort(error),
        )
        deliveries.push(delivery)
        if (!isCached) await Promise.race([started, ended])
      }
      const outcomes = await Promise.allSettled(deliveries)
      signal.throwIfAborted()
      return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? [outcome.value] : []))
    },
  }
}
