import { Attendance } from './attendance.ts'
import { FaultPlan } from './fault-plan.ts'
import { buildVssId } from './player-response.ts'
import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'
import type { SampleTrack, SampleVideo } from './sample-video.ts'
import { buildVisitorData } from './session-data.ts'
import { renderTrack, type TimedtextFormat, type TimedtextPayload } from './timedtext/render-track.ts'

/** Everything one running platform knows. */
export class PlatformState {
  readonly requests: PlatformRequest[] = []
  readonly faults = new FaultPlan()
  readonly attendance = new Attendance()
  #videos = new Map<string, SampleVideo>()
  #payloads = new Map<string, TimedtextPayload>()
  #visitors = 0
  #waiting = new Set<(request: PlatformRequest) => void>()

  addVideo(video: SampleVideo): void {
    if (!/^[\w-]{11}$/.test(video.id)) throw new RangeError(`Not a video id: ${video.id}`)
    this.#videos.set(video.id, video)
    for (const key of this.#payloads.keys()) if (key.startsWith(`${video.id} `)) this.#payloads.delete(key)
  }

  video(id: string | null): SampleVideo | undefined {
    return this.#videos.get(id ?? '')
  }

  nextVisitor(): string {
    this.#visitors += 1
    return buildVisitorData(this.#visitors)
  }

  /** Payloads are kept, since a long video takes a while to write out. */
  payload(video: SampleVideo, track: SampleTrack, format: TimedtextFormat): TimedtextPayload {
    const key = `${video.id} ${buildVssId(track)} ${format}`
    const payload = this.#payloads.get(key) ?? renderTrack(track, format, video.lengthSeconds)
    this.#payloads.set(key, payload)
    return payload
  }

  record(request: PlatformRequest): void {
    this.requests.push(request)
    for (const tell of this.#waiting) tell(request)
  }

  count(filter: RequestFilter): number {
    return this.requests.filter((request) => matchesFilter(request, filter)).length
  }

  waitForRequest(filter: RequestFilter, timeoutMs: number): Promise<PlatformRequest> {
    const seen = this.requests.find((request) => matchesFilter(request, filter))
    if (seen !== undefined) return Promise.resolve(seen)
    return new Promise((resolve, reject) => {
      const tell = (request: PlatformRequest) => {
        if (matchesFilter(request, filter)) settle(() => resolve(request))
      }
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(tell)
        end()
      }
      const complain = () => reject(new Error(`No request like ${JSON.stringify(filter)} within ${timeoutMs} ms`))
      const timer = setTimeout(() => settle(complain), timeoutMs)
      this.#waiting.add(tell)
    })
  }

  reset(): void {
    this.requests.length = 0
    this.faults.clear()
    this.attendance.clear()
  }
}
