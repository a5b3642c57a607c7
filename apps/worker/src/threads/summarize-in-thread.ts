import { chunkCues } from '@subtext/captions'
import { ServiceError } from '@subtext/contracts'
import { createExtractiveSummarizer, type Summarizer } from '@subtext/summarize'
import type { Threads } from './open-threads.ts'

/** About a second of work, done in small slices. Starting a thread would not pay off for less. */
const MAX_INLINE_CHARS = 400_000

/** Creates the extractive summarizer, which summarizes long transcripts in a thread of the pool. */
export function createThreadedSummarizer(threads: Threads, maxInlineChars = MAX_INLINE_CHARS): Summarizer {
  const inline = createExtractiveSummarizer()
  return {
    ...inline,
    async summarize(source, modes, options) {
      const chars = source.cues.reduce((sum, { text }) => sum + text.length, 0)
      if (modes.length === 0 || chars <= maxInlineChars) return inline.summarize(source, modes, options)
      const { video, track, instructions, outputLanguage, cues } = source
      const unwritten = await threads.run('summaries', {
        options: { source: { video, track, instructions, outputLanguage }, modes },
        input: chunkCues(cues),
        onOutput: options.onSummary,
        signal: options.signal,
      })
      return unwritten.map(({ code, message, retryable, ...rest }) => ({
        ...rest,
        error: new ServiceError(code, { message, retryable }),
      }))
    },
  }
}
