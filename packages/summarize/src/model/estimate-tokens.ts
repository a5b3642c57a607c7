import { estimateTokens } from '@subtext/llm'

/** The number, brackets and line break of a line. */
export const LINE_TOKENS = 4

/** Estimates the tokens of a numbered line and the chapters above it, erring on the high side. */
export const estimateLineTokens = ({ text, chapters }: { text: string; chapters: string[] }): number =>
  LINE_TOKENS + estimateTokens(text) + chapters.reduce((sum, title) => sum + LINE_TOKENS + estimateTokens(title), 0)
