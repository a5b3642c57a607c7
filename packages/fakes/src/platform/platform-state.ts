import { FaultPlan } from './fault-plan.ts'
import { buildVssId } from './player-response.ts'
import { RequestCounter } from './request-counter.ts'
import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'
import type { SampleTrack, SampleVideo } from './sample-video.ts'
import { buildVisitorData } from './session-data.ts'
import { renderTrack, type TimedtextFormat, type TimedtextPayload } from './timedtext/render-track.ts'

/** The state of one running platform. */
export class PlatformState {
  readonly requests: PlatformRequest[] = []
  readonly faults = new FaultPlan()
  readonly counter = new RequestCounter()
  #videos = new Map<string, SampleVideo>()
  #payloads = new Map<string, TimedtextPayload>()
  #visitors = 0
  #waiting = new Set<(request: PlatformRequest) => void>()

  addVideo(video: SampleVideo): void {
    if (!/^[\w-]{11}$/.test(video.id)) throw new RangeError(`Invalid video id: ${video.id}`)
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

  /** Returns the rendered track. Payloads are cached because rendering a long video takes a while. */
  payload(video: SampleVideo, track: SampleTrack, format: TimedtextFormat): TimedtextPayload {
    const key = `${video.id} ${buildVssId(track)} ${format}`
    const payload = this.#payloads.get(key) ?? renderTrack(track, format, video.lengthSeconds)
    this.#payloads.set(key, payload)
    return payload
  }

  record(request: PlatformRequest): void {
    this.requests.push(request)
    for (const check of this.#waiting) check(request)
  }

  count(filter: RequestFilter): number {
    return this.requests.filter((request) => matchesFilter(request, filter)).length
  }

  waitForRequest(filter: RequestFilter, timeoutMs: number): Promise<PlatformRequest> {
    const seen = this.requests.find((request) => matchesFilter(request, filter))
    if (seen !== undefined) return Promise.resolve(seen)
    return new Promise((resolve, reject) => {
      const check = (request: PlatformRequest) => {
        if (matchesFilter(request, filter)) settle(() => resolve(request))
      }
      const settle = (end: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(check)
        end()
      }
      const fail = () =>
        reject(new Error(`No request matching ${JSON.stringify(filter)} arrived within ${timeoutMs} ms.`))
      const timer = setTimeout(() => settle(fail), timeoutMs)
      this.#waiting.add(check)
    })
  }

  reset(): void {
    this.requests.length = 0
    this.faults.clear()
    this.counter.clear()
  }
}
