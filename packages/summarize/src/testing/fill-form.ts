import { BUILT_IN_TEMPLATES, type BuiltInName, type Cue, type FormSchema, type Spending } from '@subtext/contracts'
import type { TextModelCall } from '@subtext/llm'
import { createExtractor, type ExtractionOutcome } from '../extract/extractor.ts'
import { createExtractiveSummarizer } from '../extractive/extractive-summarizer.ts'
import { newSource } from './source.ts'

/** Lines of a meeting, which forms are filled from. */
export const MEETING: Cue[] = [
  'Third quarter revenue rose 2.5 percent to 452 million dollars.',
  'The board rejected the merger with Northwind on the fifth of March 2024.',
  'Alice Moreau will send the report to the auditors by Friday.',
  'We hired forty-two engineers, and nobody left.',
  'The plan was not approved, and the team was not happy about it.',
].map((text, index) => ({ startMs: index * 30_000, durationMs: 3_900, text }))
const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, cacheWriteTokens: 0 }

export interface Filled {
  outcome: ExtractionOutcome
  calls: TextModelCall[]
  spendings: Spending[]
}

interface FillOptions {
  lines?: Cue[]
  /** Of the lines. */
  language?: string
  outputLanguage?: string | null
  maxPromptTokens?: number
}

type Answer = unknown | ((call: TextModelCall) => unknown)

/** Fills a form with the answers of a scripted model, the last of which is repeated. */
export async function fillForm(
  template: FormSchema | BuiltInName,
  answers: Answer[],
  { lines = MEETING, language = 'en', outputLanguage = null, ...limits }: FillOptions = {},
): Promise<Filled> {
  const calls: TextModelCall[] = []
  const spendings: Spending[] = []
  const complete = async (call: TextModelCall) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)]
    calls.push(call)
    const text = JSON.stringify(typeof answer === 'function' ? answer(call) : answer)
    return { text, stop: 'complete' as const, usage: USAGE }
  }
  const extractor = createExtractor({
    extractive: createExtractiveSummarizer(),
    model: { model: 'm', complete },
    ...limits,
  })
  const isBuiltIn = typeof template === 'string'
  const outcome = await extractor.extract(
    { ...newSource(lines, { title: 'A call', language }), outputLanguage },
    {
      name: isBuiltIn ? template : 'own',
      isBuiltIn,
      instructions: null,
      schema: isBuiltIn ? BUILT_IN_TEMPLATES[template].schema : template,
    },
    { signal: new AbortController().signal, onSpending: async (spending) => void spendings.push(spending) },
  )
  return { outcome, calls, spendings }
}

export const contentOf = ({ outcome }: Filled) => {
  if (!('content' in outcome)) throw new Error(`Missing: ${outcome.missing}`)
  return outcome.content
}
/** A value as a model writes it. */
export const leaf = (value: unknown, ...segment_ids: number[]) => ({ value, segment_ids })
export const quoted = (value: unknown, quote: string, ...segment_ids: number[]) => ({ value, segment_ids, quote })
