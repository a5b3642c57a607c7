import type { PlayerReply, PlayerRequest, SampleVideo } from '../sample-video.ts'
import { TEA, TEA_TRACKS } from './tea.ts'

type Changes = Partial<Omit<SampleVideo, 'id' | 'title' | 'purpose' | 'play'>>

/** Builds a video with the tea talk. `name` is the last four characters of its id. */
export function buildTeaVideo(
  name: string,
  title: string,
  purpose: string,
  play: PlayerReply | ((request: PlayerRequest) => PlayerReply),
  changes: Changes = {},
): SampleVideo {
  return {
    id: `sbtx-x-${name}`,
    title,
    language: 'en',
    purpose,
    author: 'Subtext Sample Difficulties',
    channelId: 'UCsubtextSampleDifficult',
    description: purpose,
    lengthSeconds: TEA.lengthSeconds,
    published: '2026-02-01T12:00:00-00:00',
    viewCount: 101,
    tracks: TEA_TRACKS,
    play: typeof play === 'function' ? play : () => play,
    ...changes,
  }
}
