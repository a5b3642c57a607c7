// English has about 4 characters per token with the newest tokenizers, other Latin text fewer, and most other scripts about
// one. Both figures include a margin, since an estimate that is too low costs more than one that is too high.
export const ASCII_PER_TOKEN = 3.2
export const TOKENS_PER_OTHER = 1.2
/** The number, brackets and line break of a line. */
export const LINE_TOKENS = 4

/** Characters beyond Latin and its extensions. */
const OTHER = /[\u0250-\uFFFF]/g

/** Estimates the tokens of a text, erring on the high side. */
export function estimateTokens(text: string): number {
  const others = text.match(OTHER)?.length ?? 0
  return Math.ceil((text.length - others) / ASCII_PER_TOKEN + others * TOKENS_PER_OTHER)
}

export const estimateLineTokens = ({ text, chapters }: { text: string; chapters: string[] }): number =>
  LINE_TOKENS + estimateTokens(text) + chapters.reduce((sum, title) => sum + LINE_TOKENS + estimateTokens(title), 0)
