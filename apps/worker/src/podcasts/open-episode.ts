import { createHash } from 'node:crypto'
import { UnreadableCaptionsError } from '@subtext/captions'
import type { CaptionTrack } from '@subtext/contracts'
import type { EpisodeRecording } from '@subtext/core/jobs'
import { type Download, DownloadError, type EpisodeTranscript } from '@subtext/core/sources'
import { type SourcedTranscript, type SourcedVideo, UnusableTrackError } from '@subtext/youtube'
import type { ReadTranscriptFile } from '../threads/read-file-in-thread.ts'

/** As much as an import may have. */
const MAX_TRANSCRIPT_BYTES = 10_000_000

/** Opens an episode, so that its transcripts can be fetched like the captions of a video. */
export type OpenEpisode = (recording: EpisodeRecording, signal: AbortSignal) => SourcedVideo

const keyOf = ({ url }: EpisodeTranscript): string =>
  `podcast:${createHash('sha256').update(url).digest('base64url').slice(0, 16)}`

const unavailable = (reason: 'no_captions' | 'private' | 'unreadable', cause: unknown): UnusableTrackError =>
  new UnusableTrackError('withheld', 'TRANSCRIPT_UNAVAILABLE', { retryable: false, details: { reason }, cause })

/** Returns why a transcript cannot be used. Another one of the episode may serve. */
function toUnusable(error: unknown): unknown {
  if (error instanceof UnreadableCaptionsError) return unavailable('unreadable', error)
  if (!(error instanceof DownloadError)) return error
  const { problem } = error
  if (problem === 401 || problem === 403) return unavailable('private', error)
  if (problem === 404 || problem === 410) return unavailable('no_captions', error)
  const isBusy = problem === 'unreachable' || (typeof problem === 'number' && (problem >= 500 || problem === 429))
  return isBusy
    ? new UnusableTrackError('withheld', 'UPSTREAM_UNAVAILABLE', { retryable: true, cause: error })
    : unavailable('unreadable', error)
}

/** Creates the function that opens episodes. */
export function createEpisodeOpener(download: Download, readFile: ReadTranscriptFile): OpenEpisode {
  return ({ info, transcripts }, signal) => {
    const tracks = transcripts.map(
      (transcript, index): CaptionTrack => ({
        key: keyOf(transcript),
        language: transcript.language,
        kind: 'manual',
        name: transcript.name,
        isDefault: index === 0,
      }),
    )
    return {
      info,
      tracks,
      async fetchTranscript({ key }): Promise<SourcedTranscript> {
        const transcript = transcripts.find((each) => keyOf(each) === key)
        if (!transcript) throw new Error(`The episode has no transcript ${key}.`)
        try {
          const { body } = await download(transcript.url, { maxBytes: MAX_TRANSCRIPT_BYTES, signal })
          const { cues, language } = await readFile(body, signal)
          return { cues, ...(transcript.language === 'und' && language !== null && { language }) }
        } catch (error) {
          throw toUnusable(error)
        }
      },
    }
  }
}
