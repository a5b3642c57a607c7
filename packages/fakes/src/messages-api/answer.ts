import type { CacheUse, PromptTokens } from './prompt-cache.ts'

/** The formats of answers and errors. Where servers differ from the provider, the formats follow their sources. */
export type Wire = 'provider' | 'Ollama' | 'llama.cpp' | 'vLLM' | 'LiteLLM'

export interface ModelMessage {
  id: string
  model: string
  text: string
  /** Whether a thinking block precedes the answer. Newer models send one even when its text is withheld. */
  thinks: boolean
  stopReason: 'end_turn' | 'max_tokens' | 'refusal' | 'model_context_window_exceeded'
  tokens: PromptTokens
  cacheUse: CacheUse
  /** Leaves the counts of cached tokens out of the usage. */
  hidesCacheCounts?: boolean
  wire: Wire
}
