import { ServiceError } from '@subtext/contracts'

/**
 * What was found out of videos that cannot be transcribed. Whoever asked the same at that time has his answer too; whoever
 * asks later asks anew, since a video may have been published or captioned since.
 */
export interface Verdicts {
  /** Keeps an error that is about the video itself; others say nothing about the next try. */
  keep(question: string, error: unknown): void
  /** The verdict on `question` that was kept at `since` (as `performance.now`) or later. */
  find(question: string, since: number): ServiceError | null
}

/** Far more than the videos a worker asks for at once. */
const MOST_KEPT = 1_000
const ABOUT_THE_VIDEO = 422

export const createVerdicts = (now: () => number = () => performance.now()): Verdicts => {
  const kept = new Map<string, { error: ServiceError; at: number }>()
  return {
    keep(question, error) {
      if (!(error instanceof ServiceError) || error.status !== ABOUT_THE_VIDEO) return
      kept.delete(question)
      kept.set(question, { error, at: now() })
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    },
    find(question, since) {
      const verdict = kept.get(question)
      return verdict && verdict.at >= since ? verdict.error : null
    },
  }
}
