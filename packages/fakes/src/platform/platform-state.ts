import {
  buildVisitorData,
  type PlatformContents,
  type SampleChannel,
  type SamplePlaylist,
  type SampleVideo,
} from '@subtext/sample-platform/protocol'
import { FaultPlan } from './fault-plan.ts'
import { PlayerRequestCounter } from './request-counter.ts'
import { matchesFilter, type PlatformRequest, type RequestFilter } from './request-log.ts'

/** The state of one running platform. */
export class PlatformState implements PlatformContents {
  readonly requests: PlatformRequest[] = []
  readonly faults = new FaultPlan()
  readonly counter = new PlayerRequestCounter()
  #videos = new Map<string, SampleVideo>()
  #playlists = new Map<string, SamplePlaylist>()
  /** By their IDs and names, in lower case. */
  #channels = new Map<string, SampleChannel>()
  #visitors = 0
  #waiting = new Set<(request: PlatformRequest) => void>()

  addVideo(video: SampleVideo): void {
    if (!/^[\w-]{11}$/.test(video.id)) throw new RangeError(`Invalid video id: ${video.id}`)
    this.#videos.set(video.id, video)
  }

  findVideo(id: string | null): SampleVideo | undefined {
    return this.#videos.get(id ?? '')
  }

  addPlaylist(playlist: SamplePlaylist): void {
    this.#playlists.set(playlist.id, playlist)
  }

  addChannel(channel: SampleChannel): void {
    for (const name of [channel.id, ...channel.names]) this.#channels.set(name.toLowerCase(), channel)
  }

  findPlaylist(id: string): SamplePlaylist | undefined {
    return this.#playlists.get(id)
  }

  findChannel(idOrName: string): SampleChannel | undefined {
    return this.#channels.get(idOrName.toLowerCase())
  }

  nextVisitor(): string {
    this.#visitors += 1
    return buildVisitorData(this.#visitors)
  }

  number: PlatformContents['number'] = (videoId, visitorData, request) =>
    this.counter.count(videoId, visitorData, request)

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
