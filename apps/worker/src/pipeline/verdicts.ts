import { ServiceError } from '@subtext/contracts'

/**
 * What came of questions about videos that brought no transcript. Whoever asked the same at that time has his answer too, and
 * does not wait for the platform to refuse, or to say nothing, once more; whoever asks later asks anew.
 */
export interface Verdicts {
  /** Keeps what the platform answered; a mistake of ours, or a job that was called off, is no answer. */
  keep(question: string, error: unknown): void
  /** The verdict on `question` that was kept at `since` (as `performance.now`) or later. */
  find(question: string, since: number): ServiceError | null
}

/** Far more than the videos a worker asks for at once. */
const MOST_KEPT = 1_000
const ABOUT_THE_VIDEO = 422
const isAnswer = ({ status, code }: ServiceError): boolean =>
  status === ABOUT_THE_VIDEO || code === 'UPSTREAM_BLOCKED' || code === 'UPSTREAM_UNAVAILABLE'

export const createVerdicts = (now: () => number = () => performance.now()): Verdicts => {
  const kept = new Map<string, { error: ServiceError; at: number }>()
  return {
    keep(question, error) {
      if (!(error instanceof ServiceError) || !isAnswer(error)) return
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
