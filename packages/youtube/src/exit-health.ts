/** What is known of a way out to the platform, and whether it may be used. */
export interface ExitHealth {
  /** Takes leave to use it: always while it is well, and once it has rested for one trial at a time. */
  admit(videoId: string): boolean
  /** Milliseconds for which it is still left alone, by this video if one is given; 0 when it may be tried. */
  restLeftMs(videoId?: string): number
  /** The platform has answered over it. */
  answered(): void
  /** The platform has turned it away; where it says for how long, it is believed at once. */
  blocked(videoId: string, retryAfterSeconds?: number): void
  /** What was admitted has ended without telling anything about it. */
  release(): void
}

export interface ExitHealthOptions {
  /** Milliseconds of the first rest; each further one is twice as long. */
  restMs: number
  onChange?: (state: 'resting' | 'recovered') => void
  now?: () => number
}

/** One odd video, or one that is guarded, must not close a way out for all others. */
const VIDEOS_TO_REST = 3
const LONGEST_REST_MS = 15 * 60_000
/** Whoever tries out a way that has rested has died when nothing was heard for so long. */
const LONGEST_TRIAL_MS = 60_000
/**
 * For so long after the rest the trial is for videos that have not been turned away: one that is guarded wherever it is
 * asked for would have the exit rest for ever.
 */
const NEW_VIDEOS_FIRST_MS = 10_000

/**
 * A circuit breaker that counts videos in a row that were turned away, instead of a share of calls: the platform blocks an
 * address, not a call, and one job makes several.
 */
export const createExitHealth = ({ restMs, onChange, now = Date.now }: ExitHealthOptions): ExitHealth => {
  const turnedAway = new Set<string>()
  let restingUntil = 0
  let rests = 0
  let trialSince: number | null = null

  const restsUntil = (videoId?: string): number =>
    restingUntil + (videoId !== undefined && turnedAway.has(videoId) ? NEW_VIDEOS_FIRST_MS : 0)
  const rest = (retryAfterSeconds = 0): void => {
    const pause = Math.max(restMs * 2 ** rests, retryAfterSeconds * 1000)
    restingUntil = now() + Math.min(pause, LONGEST_REST_MS)
    trialSince = null
    onChange?.('resting')
  }
  return {
    admit(videoId) {
      if (restingUntil === 0) return true
      if (now() < restsUntil(videoId)) return false
      if (trialSince !== null && now() - trialSince < LONGEST_TRIAL_MS) return false
      trialSince = now()
      return true
    },
    restLeftMs: (videoId) => (restingUntil === 0 ? 0 : Math.max(0, restsUntil(videoId) - now())),
    answered() {
      const wasResting = restingUntil > 0
      turnedAway.clear()
      restingUntil = 0
      rests = 0
      trialSince = null
      if (wasResting) onChange?.('recovered')
    },
    blocked(videoId, retryAfterSeconds) {
      const isNews = !turnedAway.has(videoId)
      // Who is told how long to wait has met a limit of the way out: the video is not guarded, and need not stand back.
      if (retryAfterSeconds === undefined) turnedAway.add(videoId)
      if (restingUntil > now()) return
      // The second refusal of one video says nothing new about the way out.
      if (restingUntil > 0 && isNews) rests = Math.min(rests + 1, 20)
      const believed = retryAfterSeconds !== undefined || turnedAway.size >= VIDEOS_TO_REST
      if (restingUntil > 0 || believed) rest(retryAfterSeconds)
    },
    release() {
      trialSince = null
    },
  }
}
