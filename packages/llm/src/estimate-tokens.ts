// English has about 4 characters per token with the newest tokenizers, other Latin text fewer, and most other scripts about
// one. Both figures include a margin, since an estimate that is too low costs more than one that is too high.
export const ASCII_PER_TOKEN = 3.2
export const TOKENS_PER_OTHER = 1.2

/** Characters beyond Latin and its extensions. */
const OTHER = /[\u0250-\uFFFF]/g

const countOthers = (text: string): number => text.match(OTHER)?.length ?? 0

/** Estimates the tokens of a text, erring on the high side. */
export function estimateTokens(text: string): number {
  const others = countOthers(text)
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN + others * TOKENS_PER_OTHER)
}

const LETTERS_OR_BLANKS = /[A-Za-z ]/g
/** Tokens of letters and blanks: a token has more than two of them in text of any language that is written with them. */
const LETTERS_PER_TOKEN = 2

/**
 * Returns more tokens than any model counts for a text: half of its letters and blanks, one for each other ASCII character, and one
 * for each byte of the rest, the smallest unit of all tokenizers. For speech, it is about twice the actual number.
 */
export function boundTokens(text: string): number {
  const letters = text.match(LETTERS_OR_BLANKS)?.length ?? 0
  return Math.ceil(letters / LETTERS_PER_TOKEN) + Buffer.byteLength(text) - letters
}

const MAX_ASCII_PER_TOKEN = 6
const MIN_TOKENS_PER_OTHER = 0.2

/** Estimates the minimum number of tokens that any model counts for a text. */
export function estimateMinTokens(text: string): number {
  const others = countOthers(text)
  return Math.floor((text.length - others) / MAX_ASCII_PER_TOKEN + others * MIN_TOKENS_PER_OTHER)
}
