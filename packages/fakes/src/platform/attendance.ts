import type { PlayerRequest } from './sample-video.ts'

/** Counts who asked for what, for videos whose answer depends on it. */
export class Attendance {
  #byVideo = new Map<string, { requests: number; sessions: Map<string, number> }>()
  #bySession = new Map<string, number>()

  admit(
    videoId: string,
    visitorData: string,
    asked: Pick<PlayerRequest, 'endpoint' | 'client' | 'hasToken' | 'hasTimestamp'>,
  ): PlayerRequest {
    const video = this.#byVideo.get(videoId) ?? { requests: 0, sessions: new Map<string, number>() }
    this.#byVideo.set(videoId, video)
    video.requests += 1
    const session = video.sessions.get(visitorData) ?? video.sessions.size + 1
    video.sessions.set(visitorData, session)
    const nthInSession = (this.#bySession.get(visitorData) ?? 0) + 1
    this.#bySession.set(visitorData, nthInSession)
    return { ...asked, nth: video.requests, nthInSession, session }
  }

  clear(): void {
    this.#byVideo.clear()
    this.#bySession.clear()
  }
}
