import { ServiceError } from '@subtext/contracts'
import { createExtractiveSummarizer, type Summarizer } from '@subtext/summarize'
import { cutCues } from './cut-cues.ts'
import type { ThreadPool } from './pool.ts'

/** About a second of work in small slices: less than a thread needs to start would be no gain. */
const MOST_HERE_CHARS = 400_000

/** The extractive summarizer, which reads long transcripts in a thread. */
export function createApartSummarizer(threads: ThreadPool, mostHereChars = MOST_HERE_CHARS): Summarizer {
  const here = createExtractiveSummarizer()
  return {
    ...here,
    async summarize(source, modes, options) {
      const chars = source.cues.reduce((sum, { text }) => sum + text.length, 0)
      if (modes.length === 0 || chars <= mostHereChars) return here.summarize(source, modes, options)
      const { video, track, instructions, outputLanguage, cues } = source
      const unwritten = await threads.run('summaries', {
        order: { source: { video, track, instructions, outputLanguage }, modes },
        input: cutCues(cues),
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
