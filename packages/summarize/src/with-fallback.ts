import type { Summarizer } from './summarizer.ts'

/**
 * Summarizes with `first`. Modes for which `first` had answers but no usable one are written with `fallback`. Modes that
 * `first` refuses to write, or cannot write at the moment, stay unwritten.
 */
export const withFallback = (first: Summarizer, fallback: Summarizer): Summarizer => ({
  model: first.model,
  promptVersion: first.promptVersion,
  canTranslate: first.canTranslate,
  readsInParts: (cues) => first.readsInParts?.(cues) ?? false,
  async summarize(source, modes, options) {
    const unwritten = await first.summarize(source, modes, options)
    const unusable = unwritten.filter(({ reason }) => reason === 'unusable')
    const remaining = await fallback.summarize(
      source,
      unusable.map(({ mode }) => mode),
      options,
    )
    return [...unwritten.filter((entry) => !unusable.includes(entry)), ...remaining]
  },
})
