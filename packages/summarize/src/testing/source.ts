import type { Cue, Spending, Summary, SummaryMode, SummaryPoint } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { type MessagesApi, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel } from '@subtext/llm'
import { createModelSummarizer } from '../model/model-summarizer.ts'
import type { NotesOnParts, SummarySource, UnwrittenSummary } from '../summarizer.ts'

const SUBJECTS = [
  'harbour',
  'lighthouse',
  'ferry',
  'anchor',
  'compass',
  'sailor',
  'storm',
  'island',
  'channel',
  'pilot',
]
const VERBS = ['measures', 'repairs', 'describes', 'compares', 'forgets', 'collects', 'explains']
const OBJECTS = ['the tide', 'a broken gauge', 'old soundings', 'the evening sky', 'lamp oil', 'faded numbers']

/** Speech of as many lines as told, each unlike its neighbours, one every four seconds. */
export const newTalk = (count: number): Cue[] =>
  Array.from({ length: count }, (_, index) => {
    const pick = (words: string[]) => words[index % words.length]
    const text = `Entry ${index + 1}: the ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}.`
    return { startMs: index * 4_000, durationMs: 3_900, text }
  })

export const newSource = (cues: Cue[], terms: Partial<SummarySource> = {}): SummarySource => ({
  video: { ...newVideoInfo('abcdefghijk'), title: 'A talk', duration_seconds: cues.length * 4 },
  track: { key: 'en', language: 'en', kind: 'manual', name: 'English', isDefault: true },
  cues,
  instructions: null,
  outputLanguage: null,
  ...terms,
})

/** Few enough for one call of all modes, and enough for the cache. */
export const SHORT = newSource(newTalk(60))
export const HOUR = newSource(newTalk(900))

interface Outcome {
  written: Summary[]
  unwritten: UnwrittenSummary[]
  spendings: Spending[]
  /** Why answers were of no use. */
  unusable: string[]
}

interface RunOptions {
  signal?: AbortSignal
  source?: SummarySource
  maxPromptTokens?: number
  notes?: NotesOnParts
  model?: string
}

/** Keeps notes as long as the test lasts. */
export function createNotes(): NotesOnParts {
  const kept = new Map<string, SummaryPoint[]>()
  return {
    find: async (key) => kept.get(key.toString('hex')) ?? null,
    keep: async (key, notes) => void kept.set(key.toString('hex'), notes),
  }
}

/** A stand-in of the provider, and the summarizer before it. */
export async function openProvider(options: Parameters<typeof startMessagesApi>[0] = {}): Promise<{
  api: MessagesApi
  run(modes: SummaryMode[], options?: RunOptions): Promise<Outcome>
}> {
  const api = await startMessagesApi(options)
  const settings = { apiKey: 'k', baseUrl: api.baseUrl, timeoutMs: 20_000 }
  return {
    api,
    async run(modes, options = {}) {
      const { signal = new AbortController().signal, source = HOUR, maxPromptTokens, notes } = options
      const { model = 'claude-haiku-5-5' } = options
      const outcome: Outcome = { written: [], unwritten: [], spendings: [], unusable: [] }
      const summarizer = createModelSummarizer(createAnthropicModel({ ...settings, model }), {
        maxPromptTokens,
        countUnusable: ({ reason }) => void outcome.unusable.push(reason),
      })
      outcome.unwritten = await summarizer.summarize(source, modes, {
        signal,
        onSummary: async (summary) => void outcome.written.push(summary),
        onSpending: async (spending) => void outcome.spendings.push(spending),
        notes,
      })
      return outcome
    },
  }
}

export const modesOf = (entries: { mode: SummaryMode | null }[]) => entries.map(({ mode }) => mode).sort()
