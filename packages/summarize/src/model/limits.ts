export const DEFAULT_MAX_PROMPT_TOKENS = 90_000

export interface PromptLimits {
  /** Maximum length of a prompt. A transcript that does not fit is read in parts. Tokens. */
  maxPromptTokens?: number
  /** Context window of the model: prompt and answer together. Default: larger than any prompt. Tokens. */
  contextTokens?: number
}
/** Tokens for the rules, the instruction, the schema and the frame around the lines of a document. */
export const FRAME_TOKENS = 4_000
/** Up to this length one request for all modes is cheaper than the cache, and little is lost if it fails. */
export const MAX_TOGETHER_TOKENS = 4_000
/** Parts leave a margin: an estimate may be too low, and the model reads short prompts with more care. */
export const PART_SHARE = 0.7

const ANSWER_SHARE = 0.25
const MAX_ANSWER_TOKENS = 16_000

/** Returns how many tokens of a context window are kept for the answer. */
export const countAnswerTokens = (contextTokens: number): number =>
  Math.min(MAX_ANSWER_TOKENS, Math.floor(contextTokens * ANSWER_SHARE))

/** Returns how many tokens the lines of a document may have. `frameTokens`: those of the rest of the prompt. */
export function computeMaxLineTokens(
  { maxPromptTokens = DEFAULT_MAX_PROMPT_TOKENS, contextTokens }: PromptLimits,
  frameTokens: number,
): number {
  const byPrompt = maxPromptTokens - FRAME_TOKENS
  if (contextTokens === undefined) return byPrompt
  return Math.min(byPrompt, contextTokens - countAnswerTokens(contextTokens) - frameTokens)
}

/** In a smaller window, answers are asked to be short, and the publisher's texts are shortened. */
const SMALL_CONTEXT_TOKENS = 32_000

/** Returns whether prompts and answers have to be short. */
export const isSmallContext = ({ contextTokens }: PromptLimits): boolean =>
  contextTokens !== undefined && contextTokens < SMALL_CONTEXT_TOKENS

/** Tokens of structured text for each word of a language with spaces. */
const TOKENS_PER_WORD = 2.5

export const countWords = (tokens: number): number => Math.floor(tokens / TOKENS_PER_WORD)
