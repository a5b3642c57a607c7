import { ServiceError } from '@subtext/contracts'
import { type Attempt, type AttemptPlan, findRest, makeAttempts } from './attempts.ts'

/**
 * Throws the error of a video that was refused, after finding out whether it is the video that the platform guards or the
 * egresses that it blocks. Where nothing else has been answered lately, only another video can show this: the control videos
 * are requested through each egress in doubt. If they are refused, too, the egress rests, and the error says until when.
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
  throw findRest(plan) ?? error
}
