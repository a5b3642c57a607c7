/** One call of a language model. Everything up to `instruction` is the same for all calls about a document. */
export interface TextModelCall {
  system: string
  document: string
  /** Other calls will have the same document: it is worth writing to the provider's cache. */
  isShared: boolean
  instruction: string
  /** JSON Schema the answer must have; part of what the provider caches. */
  schema: Record<string, unknown>
  maxOutputTokens: number
  signal: AbortSignal
  /** It is on its way to the model, after whatever it had to wait for. Called for every try. */
  onSend?: () => void
  /** The answer has begun: the prefix is in the provider's cache from now on. */
  onStart?: () => void
  /** Told of what a try has cost that brought nothing. */
  onLoss?: (usage: TextModelUsage) => void
}

export interface TextModelUsage {
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
}

export interface TextModelAnswer {
  text: string
  /** `cut`: it had no more room; `too-long`: the document does not fit into the model. */
  stop: 'complete' | 'cut' | 'refused' | 'too-long'
  usage: TextModelUsage
}

export interface TextModel {
  readonly model: string
  /** Throws `ServiceError` (`SUMMARY_UNAVAILABLE`), whose `retryable` says whether another try may help. */
  complete(call: TextModelCall): Promise<TextModelAnswer>
}
