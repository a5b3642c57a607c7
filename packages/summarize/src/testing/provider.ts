import type { Spending, Summary, SummaryMode, SummaryPoint } from '@subtext/contracts'
import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel } from '@subtext/llm'
import { createModelSummarizer } from '../model/model-summarizer.ts'
import type { NotesStore, SummarySource, UnwrittenSummary } from '../summarizer.ts'
import { HOUR } from './source.ts'

interface Outcome {
  written: Summary[]
  unwritten: UnwrittenSummary[]
  spendings: Spending[]
  /** Why answers could not be used. */
  unusable: string[]
}

interface RunOptions {
  signal?: AbortSignal
  source?: SummarySource
  maxPromptTokens?: number
  contextTokens?: number
  /** Learns what the server lacks. */
  isCompatible?: boolean
  notes?: NotesStore
  hasOwnCache?: boolean
  model?: string
}

/** A fake provider, and a summarizer that uses it. */
export interface TestProvider {
  api: MessagesApi
  run(modes: SummaryMode[], options?: RunOptions): Promise<Outcome>
}

export async function openProvider(apiOptions: Parameters<typeof startMessagesApi>[0] = {}): Promise<TestProvider> {
  const api = await startMessagesApi(apiOptions)
  return {
    api,
    async run(modes, options = {}) {
      const {
        signal = new AbortController().signal,
        source = HOUR,
        maxPromptTokens,
        contextTokens,
        notes,
        hasOwnCache = false,
      } = options
      const { model: name = 'claude-haiku-5-5', isCompatible } = options
      const baseUrl = api.baseUrl
      const model = createAnthropicModel({ apiKey: 'k', baseUrl, model: name, isCompatible, contextTokens })
      const outcome: Outcome = { written: [], unwritten: [], spendings: [], unusable: [] }
      const summarizer = createModelSummarizer(model, {
        maxPromptTokens,
        contextTokens,
        countUnusable: ({ reason }) => void outcome.unusable.push(reason),
      })
      outcome.unwritten = await summarizer.summarize(source, modes, {
        signal,
        onSummary: async (summary) => void outcome.written.push(summary),
        onSpending: async (spending) => void outcome.spendings.push(spending),
        notes,
        findOwnCache: async () => hasOwnCache,
      })
      return outcome
    },
  }
}

/** Keeps notes in memory. */
export function createNotesStore(): NotesStore {
  const saved = new Map<string, SummaryPoint[]>()
  return {
    find: async (key) => saved.get(key.toString('hex')) ?? null,
    save: async (key, notes) => void saved.set(key.toString('hex'), notes),
  }
}

export const modesOf = (entries: { mode: SummaryMode | null }[]) => entries.map(({ mode }) => mode).sort()
