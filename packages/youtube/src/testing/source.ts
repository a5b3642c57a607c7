import type { VideoComment } from '@subtext/contracts'
import type { SampleVideo } from '@subtext/fakes'
import { clientList } from '../clients.ts'
import type { PlatformMonitor } from '../monitor.ts'
import type { SourcedVideo, VideoSource } from '../video-source.ts'
import { createYoutubeSource, type YoutubeSourceOptions } from '../youtube-source.ts'

/** The real source, connected to a fake platform, with everything it reports. */
export interface TestSource {
  source: VideoSource
  /** `egress client outcome`, in order. */
  attempts: string[]
  /** `egress state`, in order. */
  egressChanges: string[]
  /** Clients that got an unknown status. */
  unknown: string[]
  /** Clients that got no status. */
  missing: string[]
  fetchVideo(video: SampleVideo): Promise<SourcedVideo>
  /** The text of a whole track. */
  fetchText(video: SampleVideo, key?: string): Promise<string>
  fetchComments(video: SampleVideo): Promise<VideoComment[]>
}

/**
 * Timeouts long enough for any machine; a test that needs a timeout to pass sets a shorter one. The clients have a fixed order
 * here, because the order of the table may change any day.
 */
export const PATIENT = {
  clients: clientList.parse('ANDROID,VISIONOS,IOS,ANDROID_REEL,WEB'),
  requestTimeoutMs: 60_000,
  budgetMs: 300_000,
  metadataTimeoutMs: 60_000,
  secondViewTimeoutMs: 60_000,
}

export const openTestSource = (origin: string, options: Partial<YoutubeSourceOptions>): TestSource => {
  const attempts: string[] = []
  const egressChanges: string[] = []
  const unknown: string[] = []
  const missing: string[] = []
  const monitor: PlatformMonitor = {
    opened: () => {},
    countAttempt: ({ egress, client, outcome }) => void attempts.push(`${egress} ${client} ${outcome}`),
    countEgressChange: ({ egress, state }) => void egressChanges.push(`${egress} ${state}`),
    countUnknownState: ({ client }) => void unknown.push(client),
    countMissingState: ({ client }) => void missing.push(client),
  }
  const source = createYoutubeSource({ origin, proxyUrls: [], monitor, ...PATIENT, ...options })
  const fetchVideo = ({ id }: SampleVideo) =>
    source.fetchVideo(id, { useProxy: null, signal: new AbortController().signal })
  return {
    source,
    attempts,
    egressChanges,
    unknown,
    missing,
    fetchVideo,
    async fetchText(sample, key = '.en') {
      const video = await fetchVideo(sample)
      const track = video.tracks.find((candidate) => candidate.key === key)
      if (!track) throw new Error(`There is no track ${key}.`)
      const { cues } = await video.fetchTranscript(track)
      return cues.map(({ text }) => text).join(' ')
    },
    fetchComments: ({ id }) => source.fetchComments(id, { useProxy: null, signal: new AbortController().signal }),
  }
}
