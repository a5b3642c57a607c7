import type { VideoComment } from '@subtext/contracts'
import type { SampleVideo } from '@subtext/fakes'
import type { PlatformMonitor } from '../monitor.ts'
import type { SourcedVideo, VideoSource } from '../video-source.ts'
import { createYoutubeSource, type YoutubeSourceOptions } from '../youtube-source.ts'

/** The real source at a sample platform, with everything it reports. */
export interface TestSource {
  source: VideoSource
  /** `exit client outcome`, in order. */
  attempts: string[]
  /** `exit state`, in order. */
  exits: string[]
  /** Clients that met an unknown state. */
  unknown: string[]
  fetchVideo(video: SampleVideo): Promise<SourcedVideo>
  /** All that is said in the track. */
  fetchText(video: SampleVideo, key?: string): Promise<string>
  fetchComments(video: SampleVideo): Promise<VideoComment[]>
}

export const openTestSource = (origin: string, options: Partial<YoutubeSourceOptions>): TestSource => {
  const attempts: string[] = []
  const exits: string[] = []
  const unknown: string[] = []
  const monitor: PlatformMonitor = {
    countAttempt: ({ exit, client, outcome }) => void attempts.push(`${exit} ${client} ${outcome}`),
    countExitChange: ({ exit, state }) => void exits.push(`${exit} ${state}`),
    countUnknownState: ({ client }) => void unknown.push(client),
  }
  const source = createYoutubeSource({ origin, proxyUrls: [], monitor, ...options })
  const fetchVideo = ({ id }: SampleVideo) =>
    source.fetchVideo(id, { useProxy: null, signal: new AbortController().signal })
  return {
    ...{ source, attempts, exits, unknown, fetchVideo },
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
