import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SAMPLE_VIDEOS } from './catalogue.ts'
import type { PlatformDelay, PlatformFault } from './fault-plan.ts'
import { createPlatformApp } from './platform-app.ts'
import { PlatformState } from './platform-state.ts'
import type { PlatformRequest, RequestFilter } from './request-log.ts'
import type { SampleVideo } from './sample-video.ts'

/**
 * A video platform on this machine, for demonstrations and tests. Clients send it every request they mean for the
 * real platform's hosts, with the host they wanted in `X-Forwarded-Host`.
 */
export interface VideoPlatform {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  /** In order of arrival, the running ones included. */
  readonly requests: readonly PlatformRequest[]
  count(filter: RequestFilter): number
  /** The first matching request since the start or `reset`, as soon as it has arrived; rejects after `timeoutMs`. */
  waitForRequest(filter: RequestFilter, timeoutMs: number): Promise<PlatformRequest>
  /** Also replaces a video of the same id. */
  addVideo(video: SampleVideo): void
  /** The next matching requests (`times`, 1) go wrong. */
  failNext(fault: PlatformFault): void
  /** Every matching request waits, until `reset` or a later delay. */
  delay(delay: PlatformDelay): void
  /** Forgets requests, faults, delays and who asked for what; keeps the videos. */
  reset(): void
  /** Breaks open connections. */
  close(): Promise<void>
}

/** Plays `SAMPLE_VIDEOS`; `port` 0 (the default) takes a free one. */
export async function startVideoPlatform(options: { port?: number; host?: string } = {}): Promise<VideoPlatform> {
  const state = new PlatformState()
  for (const video of Object.values(SAMPLE_VIDEOS)) state.addVideo(video)
  const host = options.host ?? '127.0.0.1'
  const server = createPlatformApp(state).listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    requests: state.requests,
    count: (filter) => state.count(filter),
    waitForRequest: (filter, timeoutMs) => state.waitForRequest(filter, timeoutMs),
    addVideo: (video) => state.addVideo(video),
    failNext: (fault) => state.faults.addFault(fault),
    delay: (delay) => state.faults.addDelay(delay),
    reset: () => state.reset(),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
