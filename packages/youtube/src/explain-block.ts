import { ServiceError } from '@subtext/contracts'
import { type Attempt, type AttemptPlan, findRest, makeAttempts } from './attempts.ts'
import { LastingBlockError } from './platform-errors.ts'

/**
 * Throws the error for a refused video, after finding out whether the platform guards the video or blocks the egress. If an
 * egress has had no reply recently, only another video can show which it is, so the control videos are requested through it.
 * If they are refused as well, the egress rests, and the error says until when.
 */
export const explainBlock = async (
  plan: AttemptPlan,
  error: unknown,
  controlVideoIds: readonly string[],
  fetchPlayer: (attempt: Attempt, videoId: string) => Promise<unknown>,
): Promise<never> => {
  if (!(error instanceof ServiceError) || error.code !== 'UPSTREAM_BLOCKED') throw error
  for (const egress of new Set(plan.route)) {
    for (const videoId of controlVideoIds) {
      if (!egress.health.isInDoubt(plan.videoId)) break
      const control = { ...plan, videoId, route: [egress], asked: new Map() }
      await makeAttempts(control, (attempt) => fetchPlayer(attempt, videoId)).catch(() => plan.signal.throwIfAborted())
    }
  }
  throw error instanceof LastingBlockError ? error : (findRest(plan) ?? error)
}
