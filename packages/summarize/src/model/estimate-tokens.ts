// About 4 characters of English to a token with the newest tokenizers, fewer of other Latin text; a character of the
// other scripts is about a token. Both with a margin, since what is counted too low costs more than what is counted too high.
const ASCII_PER_TOKEN = 3.2
const TOKENS_PER_OTHER = 1.2
/** Number, brackets and line break of a line. */
const LINE_TOKENS = 4

/** Beyond Latin and its extensions. */
const OTHER = /[\u0250-\uFFFF]/g

/** Tokens of a text, rather too many than too few. */
export function estimateTokens(text: string): number {
  const others = text.match(OTHER)?.length ?? 0
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN + others * TOKENS_PER_OTHER)
}

export const estimateLineTokens = ({ text, chapters }: { text: string; chapters: string[] }): number =>
  LINE_TOKENS + estimateTokens(text) + chapters.reduce((sum, title) => sum + LINE_TOKENS + estimateTokens(title), 0)
