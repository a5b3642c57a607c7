import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { SampleChannel, SamplePlaylist, SampleVideo } from '@subtext/sample-platform/protocol'
import { SAMPLE_VIDEOS } from './catalogue.ts'
import type { PlatformDelay, PlatformFault } from './fault-plan.ts'
import { createPlatformServer } from './platform-server.ts'
import { PlatformState } from './platform-state.ts'
import type { PlatformRequest, RequestFilter } from './request-log.ts'

/**
 * A video platform on this machine, for demos and tests. Clients send it all requests meant for the real platform's
 * hosts, with the original host in `X-Forwarded-Host`.
 */
export interface VideoPlatform {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  /** In order of arrival, including unanswered ones. */
  readonly requests: readonly PlatformRequest[]
  count(filter: RequestFilter): number
  /** Returns the first matching request since the start or the last `reset`; rejects after `timeoutMs`, four minutes by default. */
  waitForRequest(filter: RequestFilter, timeoutMs?: number): Promise<PlatformRequest>
  /** Adds a video, or replaces the one with the same ID. */
  addVideo(video: SampleVideo): void
  /** Adds a playlist, or replaces the one with the same ID. */
  addPlaylist(playlist: SamplePlaylist): void
  /** Adds a channel, or replaces the one with the same ID. */
  addChannel(channel: SampleChannel): void
  /** Makes the next matching request, or the next `times` requests, fail. */
  failNext(fault: PlatformFault): void
  /** Delays every matching request until `reset` or a later delay. */
  delay(delay: PlatformDelay): void
  /** Holds back every matching request until the returned function is called. */
  hold(filter: RequestFilter): () => void
  /** Clears the faults; keeps delays and the request log. */
  forgetFaults(): void
  /** Clears the request log, the counters, faults and delays; keeps the videos. */
  reset(): void
  /** Stops the server and closes open connections. */
  close(): Promise<void>
}

/** Leaves time for a machine that is busy with other things. */
const WAIT_TIMEOUT_MS = 240_000

/** Starts a platform with `SAMPLE_VIDEOS`. `port` 0 (the default) selects a free port. */
export async function startVideoPlatform(options: { port?: number; host?: string } = {}): Promise<VideoPlatform> {
  const state = new PlatformState()
  for (const video of Object.values(SAMPLE_VIDEOS)) state.addVideo(video)
  const host = options.host ?? '127.0.0.1'
  const server = createPlatformServer(state).listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    requests: state.requests,
    count: (filter) => state.count(filter),
    waitForRequest: (filter, timeoutMs = WAIT_TIMEOUT_MS) => state.waitForRequest(filter, timeoutMs),
    addVideo: (video) => state.addVideo(video),
    addPlaylist: (playlist) => state.addPlaylist(playlist),
    addChannel: (channel) => state.addChannel(channel),
    failNext: (fault) => state.faults.addFault(fault),
    delay: (delay) => state.faults.addDelay(delay),
    hold: (filter) => state.faults.hold(filter),
    forgetFaults: () => state.faults.clearFaults(),
    reset: () => state.reset(),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
