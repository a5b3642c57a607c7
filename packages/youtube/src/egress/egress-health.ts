/** Tracks whether an egress to the platform may be used. */
export interface EgressHealth {
  /** Returns whether the egress may be used: always while it is healthy, and by one trial at a time after a rest. */
  admit(videoId: string): boolean
  /**
   * Returns the milliseconds until the egress may be tried (by this video, if one is given); 0 if it may be tried now. While
   * another video is trying it, they are an estimate.
   */
  restLeftMs(videoId?: string): number
  /**
   * Returns whether this video has been turned away while nothing shows if the egress is at fault or the video: the egress is
   * not resting, and nothing has been answered through it lately.
   */
  isInDoubt(videoId: string): boolean
  /** Records that the platform has answered through the egress. */
  answered(): void
  /** Records that the platform has turned the egress away. If it said for how long, the egress rests at once. */
  blocked(videoId: string, retryAfterSeconds?: number): void
  /** Takes back that this video has been turned away, because the video is at fault. */
  forgive(videoId: string): void
  /** Records that an admitted use has ended without showing anything about the egress. */
  release(): void
}

export interface EgressHealthOptions {
  /** Milliseconds of the first rest. Each further one is twice as long. */
  restMs: number
  onChange?: (state: 'resting' | 'recovered') => void
  now?: () => number
}

/** A single unusual or guarded video must not close an egress for all others. */
const VIDEOS_TO_REST = 3
const MAX_REST_MS = 15 * 60_000
/** A trial that has not reported for this long counts as dead. */
const MAX_TRIAL_MS = 60_000
/** A trial usually takes less. */
const USUAL_TRIAL_MS = 5_000
/**
 * How long after a rest the trial is reserved for videos that have not been turned away. Otherwise, a video that is guarded
 * everywhere would keep the egress resting forever.
 */
const NEW_VIDEOS_FIRST_MS = 10_000
/** A reply this recent shows that the egress works. */
const RECENT_MS = 30_000
/** Limits the exponent, so that the power of two stays finite. */
const MAX_RESTS = 20

/**
 * Creates a circuit breaker that counts videos turned away in a row, not a share of calls: the platform blocks an address,
 * and a single job makes several calls.
 *
 * Opossum 9 and Cockatiel 3 were tried and do not fit. Both count calls, so three refusals of one video open them. Neither
 * rests for as long as the platform asks or reports the rest that is left, which becomes `Retry-After`. In Opossum, every
 * rest has the same length; in Cockatiel, other calls wait for the trial, where ours go on to the next egress.
 */
export const createEgressHealth = ({ restMs, onChange, now = Date.now }: EgressHealthOptions): EgressHealth => {
  const turnedAway = new Set<string>()
  let restingUntil = 0
  let rests = 0
  let trialSince: number | null = null
  let lastAnsweredAt: number | null = null

  const restsUntil = (videoId?: string): number =>
    restingUntil + (videoId !== undefined && turnedAway.has(videoId) ? NEW_VIDEOS_FIRST_MS : 0)
  const isOnTrial = (): boolean => trialSince !== null && now() - trialSince < MAX_TRIAL_MS
  const rest = (retryAfterSeconds = 0): void => {
    const pause = Math.max(restMs * 2 ** rests, retryAfterSeconds * 1000)
    restingUntil = now() + Math.min(pause, MAX_REST_MS)
    trialSince = null
    onChange?.('resting')
  }
  return {
    admit(videoId) {
      if (restingUntil === 0) return true
      if (now() < restsUntil(videoId)) return false
      if (isOnTrial()) return false
      trialSince = now()
      return true
    },
    restLeftMs(videoId) {
      if (restingUntil === 0) return 0
      return Math.max(isOnTrial() ? USUAL_TRIAL_MS : 0, restsUntil(videoId) - now())
    },
    isInDoubt(videoId) {
      const hasAnswered = lastAnsweredAt !== null && now() - lastAnsweredAt < RECENT_MS
      return restingUntil === 0 && turnedAway.has(videoId) && !hasAnswered
    },
    answered() {
      lastAnsweredAt = now()
      const wasResting = restingUntil > 0
      turnedAway.clear()
      restingUntil = 0
      rests = 0
      trialSince = null
      if (wasResting) onChange?.('recovered')
    },
    blocked(videoId, retryAfterSeconds) {
      const isNews = !turnedAway.has(videoId)
      // A block with a retry time is a limit on the egress: the video is not guarded and need not wait for others.
      if (retryAfterSeconds === undefined) turnedAway.add(videoId)
      if (restingUntil > now()) return
      // A second refusal of the same video says nothing new about the egress.
      if (restingUntil > 0 && isNews) rests = Math.min(rests + 1, MAX_RESTS)
      const isBlocked = retryAfterSeconds !== undefined || turnedAway.size >= VIDEOS_TO_REST
      if (restingUntil > 0 || isBlocked) rest(retryAfterSeconds)
    },
    forgive: (videoId) => void turnedAway.delete(videoId),
    release() {
      trialSince = null
    },
  }
}
