import type { SampleVideo } from '@subtext/sample-platform/protocol'
import { Innertube, Log } from 'youtubei.js'
import type { VideoPlatform } from '../platform/start-video-platform.ts'

Log.setLevel(Log.Level.NONE)

export interface Track {
  baseUrl: string
  vssId: string
  languageCode: string
  kind?: string
  name: { runs: { text: string }[] }
}
export interface Player {
  playabilityStatus?: {
    status: string
    reason?: string
    messages?: string[]
    desktopLegacyAgeGateReason?: number
    errorScreen?: Record<string, unknown>
  }
  videoDetails?: Record<string, unknown> & { videoId: string; title: string }
  captions?: {
    playerCaptionsTracklistRenderer: { captionTracks: Track[]; audioTracks: { defaultCaptionTrackIndex?: number }[] }
  }
  microformat?: { playerMicroformatRenderer: { publishDate: string } }
}

/** An unmodified client library for the real platform, with all requests redirected to the fake's origin. */
export interface LibraryClient {
  fetch: typeof fetch
  createSession(): Promise<Innertube>
  play(video: SampleVideo | string, client?: string, session?: Innertube): Promise<Player>
  fetchTrack(track: Track | undefined, format: string): Promise<Response>
}

export function createPlatformClient(platform: Pick<VideoPlatform, 'origin'>): LibraryClient {
  const redirect: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const options = input instanceof Request ? { method: input.method, ...init } : { ...init }
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-host', url.host)
    return fetch(new URL(url.pathname + url.search, platform.origin), { ...options, headers })
  }
  const createSession = () =>
    Innertube.create({
      fetch: redirect,
      retrieve_player: false,
      retrieve_innertube_config: false,
      fail_fast: true,
    })
  return {
    fetch: redirect,
    createSession,
    play: async (video, client = 'ANDROID', session) => {
      const videoId = typeof video === 'string' ? video : video.id
      const { actions } = session ?? (await createSession())
      const reply = await actions.execute('/player', { videoId, client, contentCheckOk: true, racyCheckOk: true })
      return reply.data as unknown as Player
    },
    fetchTrack: (track, format) => {
      const url = new URL(track?.baseUrl ?? '')
      url.searchParams.set('fmt', format)
      return redirect(url)
    },
  }
}

export function tracksOf(player: Player): Track[] {
  return player.captions?.playerCaptionsTracklistRenderer.captionTracks ?? []
}
