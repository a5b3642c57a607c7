import type { Spending, Summary, SummaryMode, SummaryPoint } from '@subtext/contracts'
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel, type TextModel, type TextModelCall } from '@subtext/llm'
import { createModelSummarizer } from '../model/model-summarizer.ts'
import type { NotesStore, SummarySource, UnwrittenSummary } from '../summarizer.ts'
import type { TestedServer } from './servers.ts'
import { HOUR } from './source.ts'

interface Outcome {
  written: Summary[]
  unwritten: UnwrittenSummary[]
  spendings: Spending[]
  /** Why answers could not be used. */
  unusable: string[]
}

interface ModelOptions {
  model?: string
  contextTokens?: number
  /** Learns what the server lacks. */
  isCompatible?: boolean
}

interface RunOptions extends ModelOptions {
  signal?: AbortSignal
  source?: SummarySource
  maxPromptTokens?: number
  notes?: NotesStore
  hasOwnCache?: boolean
}

/** A fake provider, and a summarizer that uses it. */
export interface TestProvider {
  api: MessagesApi
  model(options?: ModelOptions): TextModel
  run(modes: SummaryMode[], options?: RunOptions): Promise<Outcome>
}

export async function openProvider(apiOptions: MessagesApiOptions = {}): Promise<TestProvider> {
  const api = await startMessagesApi(apiOptions)
  const createModel = ({ model = 'claude-haiku-5-5', isCompatible, contextTokens }: ModelOptions = {}): TextModel =>
    createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model, isCompatible, contextTokens })
  return createProvider(api, createModel)
}

/** Opens a provider whose model has learned already what the server lacks, so that tests can count calls. */
export async function openKnownProvider(server: TestedServer, apiOptions: MessagesApiOptions = {}) {
  if (server.kind === undefined) return openProvider(apiOptions)
  const api = await startMessagesApi({ ...apiOptions, kind: server.kind })
  const { contextTokens } = server
  const models = new Map<string, TextModel>()
  for (const model of ['claude-haiku-5-5', 'claude-sonnet-5-5']) {
    const known = createAnthropicModel({ apiKey: 'k', baseUrl: api.baseUrl, model, isCompatible: true, contextTokens })
    await known.complete(WARM_UP)
    models.set(model, known)
  }
  api.calls.length = 0
  return createProvider(
    api,
    ({ model = 'claude-haiku-5-5' } = {}) => {
      const known = models.get(model)
      if (!known) throw new Error(`${model} is not prepared.`)
      return known
    },
    contextTokens,
  )
}

/** Uses every part of the API. */
const WARM_UP: TextModelCall = {
  system: 'Rules.',
  document: '<transcript>\n[1] one\n[2] two\n</transcript>',
  cacheDocument: '5m',
  instruction: 'Write the summary "tldr".',
  schema: {
    type: 'object',
    properties: { done: { type: 'boolean' } },
    required: ['done'],
    additionalProperties: false,
  },
  maxOutputTokens: 1_000,
  signal: new AbortController().signal,
}

function createProvider(
  api: MessagesApi,
  createModel: (options?: ModelOptions) => TextModel,
  defaultContextTokens?: number,
): TestProvider {
  return {
    api,
    model: createModel,
    async run(modes, options = {}) {
      const { signal = new AbortController().signal, source = HOUR, maxPromptTokens, notes } = options
      const { contextTokens = defaultContextTokens, hasOwnCache = false } = options
      const outcome: Outcome = { written: [], unwritten: [], spendings: [], unusable: [] }
      const summarizer = createModelSummarizer(createModel(options), {
        maxPromptTokens,
        contextTokens,
        countUnusable: ({ reason }) => void outcome.unusable.push(reason),
      })
      outcome.unwritten = await summarizer.summarize(source, modes, {
        signal,
        onSummary: async (summary) => void outcome.written.push(summary),
        onSpending: async (spending) => void outcome.spendings.push(spending),
        notes,
        findOwnCache: async () => ({ isOwn: hasOwnCache, isKept: hasOwnCache }),
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
