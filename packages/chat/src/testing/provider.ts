import type { Cue } from '@subtext/contracts'
import { newVideoInfo } from '@subtext/contracts/testing'
import { type MessagesApi, type MessagesApiOptions, startMessagesApi } from '@subtext/fakes'
import { createAnthropicModel, createCostComputer } from '@subtext/llm'
import { cuesOf } from '@subtext/search/testing'
import type { PromptLimits } from '@subtext/summarize'
import { createChat } from '../create-chat.ts'
import type { AnswerPart, ChatSource, EarlierExchange } from '../types.ts'

interface SourceOptions {
  language?: string
  hasOwnCache?: boolean
  notes?: Awaited<ReturnType<ChatSource['readNotes']>>
}

export const newChatSource = (
  cues: Cue[],
  { language = 'en', notes = [], hasOwnCache = true }: SourceOptions = {},
): ChatSource => ({
  video: { ...newVideoInfo('abcdefghijk'), title: 'A talk' },
  track: { key: language, language, kind: 'manual', name: language, isDefault: true },
  cues,
  hasOwnCache,
  readNotes: async () => notes,
})

/** The English sample talk. */
export const TALK = newChatSource(cuesOf('english'))

interface AskOptions {
  source?: ChatSource
  earlier?: EarlierExchange[]
  limits?: PromptLimits
  /** Learns what the server lacks. */
  isCompatible?: boolean
  idleTimeoutMs?: number
  signal?: AbortSignal
  onPart?: (part: AnswerPart) => void
}

/** A fake provider, and the answering of questions with it. */
export interface ChatTestProvider {
  api: MessagesApi
  /** Why statements were not shown. */
  dropped: string[]
  ask(question: string, options?: AskOptions): ReturnType<ReturnType<typeof createChat>['answer']>
}

const MODEL = 'claude-haiku-5-5'

/** Registers hooks that start a fake provider for each test. */
export function useProvider(apiOptions: MessagesApiOptions = {}): ChatTestProvider {
  let api: MessagesApi | undefined
  let dropped: string[] = []
  const current = (): MessagesApi => {
    if (!api) throw new Error('The provider is available only in hooks and tests.')
    return api
  }
  beforeEach(async () => {
    api = await startMessagesApi(apiOptions)
    dropped = []
  })
  afterEach(() => api?.close())
  return {
    get api() {
      return current()
    },
    get dropped() {
      return dropped
    },
    ask(question, options = {}) {
      const { source = TALK, earlier = [], limits = {}, isCompatible, signal = new AbortController().signal } = options
      const model = createAnthropicModel({
        apiKey: 'k',
        baseUrl: current().baseUrl,
        model: MODEL,
        isCompatible,
        contextTokens: limits.contextTokens,
        idleTimeoutMs: options.idleTimeoutMs,
      })
      const chat = createChat({
        model: { model, computeCostUsd: createCostComputer() },
        limits,
        countDropped: ({ reason }) => void dropped.push(reason),
      })
      return chat.answer(source, { text: question, earlier }, { signal, onPart: options.onPart })
    },
  }
}

export const say = (text: string) => ({ kind: 'answer', text }) as const
