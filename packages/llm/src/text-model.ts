import type { CostReservation, ReserveCost } from '@subtext/contracts'

/** How long the provider's cache keeps a document after its last use. */
export type CacheDuration = '5m' | '1h'

/** A turn of a conversation. */
export interface TextModelTurn {
  role: 'user' | 'assistant'
  text: string
}

/** The prompt sent to a model. Everything before `instruction` is the same for all calls about one document. */
export interface TextModelPrompt {
  system: string
  document: string
  /** Writes the document to the provider's cache, because other calls will send the same one; null: does not. */
  cacheDocument: CacheDuration | null
  instruction: string
  /** A conversation that follows the instruction. It begins and ends with a turn of the user. */
  turns?: readonly TextModelTurn[]
  /** JSON Schema the answer has to match. The provider caches it with the document. Without it, the answer is plain text. */
  schema?: Record<string, unknown>
  /** The part of the schema that this answer needs, for servers that take a schema only as text. Default: all of it. */
  plainSchema?: Record<string, unknown>
  maxOutputTokens: number
}

/** A prompt with the hooks of one call. */
export interface TextModelCall extends TextModelPrompt {
  signal: AbortSignal
  /** Called when an attempt is sent, after any wait for the gate. */
  onSend?: () => void
  /** Called when the answer begins. From then on the provider's cache holds the document. */
  onStart?: () => void
  /** Called with each piece of the answer's text as it arrives. After another `onSend`, the text begins again. */
  onText?: (text: string) => void
  /** Returns whether a failed attempt may be followed by another one. Default: always. */
  mayRetry?: () => boolean
  /** Called before each attempt with its highest possible cost. What it rejects with ends the call. Default: nothing is reserved. */
  reserve?: ReserveCost
  /** Called with the usage of a failed attempt, and with its reservation, which the receiver releases once it has recorded the cost. */
  onFailedAttempt?: (usage: TextModelUsage, reservation?: CostReservation) => void
}

export interface TextModelUsage {
  /** Neither read from the cache nor written to it. */
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  cacheWriteTokens: number
  /** The part of `cacheWriteTokens` that the provider keeps for an hour, at a higher price. Default: 0. */
  hourCacheWriteTokens?: number
}

export interface TextModelAnswer {
  text: string
  /** `cut`: the answer reached `maxOutputTokens`; `too-long`: the prompt does not fit into the model's context. */
  stop: 'complete' | 'cut' | 'refused' | 'too-long'
  usage: TextModelUsage
  /** The caller releases it once it has recorded the cost. */
  reservation?: CostReservation
}

export interface TextModel {
  readonly model: string
  /**
   * Returns the whole answer. Throws `ServiceError` (`SUMMARY_UNAVAILABLE`), whose `retryable` says whether a later call
   * may succeed, or the signal's reason once it is aborted.
   */
  complete(call: TextModelCall): Promise<TextModelAnswer>
}
