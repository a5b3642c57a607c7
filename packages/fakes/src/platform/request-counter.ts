import type { PlayerRequest } from '@subtext/sample-platform/protocol'

/** Counts requests by video and session, for videos whose reply depends on these counts. */
export class PlayerRequestCounter {
  #byVideo = new Map<string, { requests: number; sessions: Map<string, number> }>()
  #bySession = new Map<string, number>()

  /** Counts a player request, and returns it with its numbers. */
  count(
    videoId: string,
    visitorData: string,
    request: Pick<PlayerRequest, 'endpoint' | 'client' | 'hasToken' | 'hasTimestamp'>,
  ): PlayerRequest {
    const video = this.#byVideo.get(videoId) ?? { requests: 0, sessions: new Map<string, number>() }
    this.#byVideo.set(videoId, video)
    video.requests += 1
    const session = video.sessions.get(visitorData) ?? video.sessions.size + 1
    video.sessions.set(visitorData, session)
    const nthInSession = (this.#bySession.get(visitorData) ?? 0) + 1
    this.#bySession.set(visitorData, nthInSession)
    return { ...request, nth: video.requests, nthInSession, session }
  }

  clear(): void {
    this.#byVideo.clear()
    this.#bySession.clear()
  }
}
