import type { Summarizer } from './summarizer.ts'

/**
 * Summaries by `first`; modes for which it had answers, but none that could be used, are written by `substitute`. What
 * `first` refuses to write, or cannot write for now, stays unwritten.
 */
export const withSubstitute = (first: Summarizer, substitute: Summarizer): Summarizer => ({
  model: first.model,
  promptVersion: first.promptVersion,
  canTranslate: first.canTranslate,
  async summarize(source, modes, options) {
    const unwritten = await first.summarize(source, modes, options)
    const unusable = unwritten.filter(({ reason }) => reason === 'unusable')
    const left = await substitute.summarize(
      source,
      unusable.map(({ mode }) => mode),
      options,
    )
    return [...unwritten.filter((entry) => !unusable.includes(entry)), ...left]
  },
})
