import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Subtext, SubtextError } from '@subtext/sdk'

type Videos = Subtext['videos']
type Submission = Parameters<Videos['submit']>[0]

/** Clients give up on a call after 60 seconds; without an answer, they would not know the ID of the job. */
const PATIENCE_MS = 45_000
const FIRST_PAUSE_MS = 500

/**
 * Submits a video, and repeats the submission after failures that can pass, for `patienceMs` milliseconds at most. Throws the
 * last error when the next attempt would be later.
 */
export async function submitInTime(
  videos: Pick<Videos, 'submit'>,
  submission: Submission,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<Awaited<ReturnType<Videos['submit']>>> {
  const deadline = performance.now() + patienceMs
  const idempotencyKey = randomUUID()
  for (let backoffMs = FIRST_PAUSE_MS; ; backoffMs *= 2) {
    const timeoutMs = Math.max(1, deadline - performance.now())
    try {
      return await videos.submit(submission, { signal, idempotencyKey, maxRetries: 0, timeoutMs })
    } catch (error) {
      if (!(error instanceof SubtextError && error.retryable)) throw error
      const pauseMs = (error.retryAfterMs ?? 0) + backoffMs
      if (performance.now() + pauseMs >= deadline) throw error
      await setTimeout(pauseMs, undefined, { signal })
    }
  }
}
