export const DEFAULT_MAX_PROMPT_TOKENS = 90_000
/** Rules, instruction, schema and the frame around the lines of a document. */
export const FRAME_TOKENS = 4_000
/** Up to this length one request for all modes is cheaper than the cache, and little is lost if it fails. */
export const MAX_TOGETHER_TOKENS = 4_000
/** Parts leave a margin: an estimate may be too low, and the model reads short prompts with more care. */
export const PART_SHARE = 0.7
