import { z } from 'zod'
import { lenient } from './lenient.ts'

const PlatformText = z.union([
  z.object({ simpleText: z.string() }).transform(({ simpleText }) => simpleText),
  z
    .object({ runs: z.array(z.object({ text: z.string() })) })
    .transform(({ runs }) => runs.map((run) => run.text).join('')),
])
const text = lenient(PlatformText)
const flag = lenient(z.boolean())
const string = lenient(z.string())
const index = lenient(z.int().nonnegative())
const presence = lenient(z.unknown())

const Thumbnail = z.object({ url: z.string(), width: lenient(z.number()), height: lenient(z.number()) })

const PlayabilityStatus = z.object({
  status: string,
  reason: string,
  messages: lenient(z.array(z.string())),
  desktopLegacyAgeGateReason: presence,
  errorScreen: lenient(
    z.object({
      playerErrorMessageRenderer: lenient(z.object({ reason: text, subreason: text })),
      confirmDialogRenderer: lenient(z.object({ title: text, dialogMessages: lenient(z.array(PlatformText)) })),
      playerCaptchaViewModel: presence,
      playerLegacyDesktopYpcOfferRenderer: presence,
      ypcTrailerRenderer: presence,
      playerLegacyDesktopYpcTrailerRenderer: presence,
    }),
  ),
})

export const PlatformTrack = z.object({
  baseUrl: z.string(),
  languageCode: z.string(),
  name: text,
  vssId: string,
  kind: string,
  audioTrackId: string,
})
export type PlatformTrack = z.infer<typeof PlatformTrack>

const AudioTrack = z.object({
  audioTrackId: string,
  captionTrackIndices: lenient(z.array(z.number())),
  defaultCaptionTrackIndex: index,
})

const CaptionList = z.object({
  captionTracks: lenient(z.array(z.unknown())),
  audioTracks: lenient(z.array(lenient(AudioTrack))),
  defaultAudioTrackIndex: index,
})

const VideoDetails = z.object({
  videoId: string,
  title: string,
  author: string,
  channelId: string,
  shortDescription: string,
  lengthSeconds: lenient(z.union([z.string(), z.number()])),
  thumbnail: lenient(z.object({ thumbnails: lenient(z.array(lenient(Thumbnail))) })),
  isLive: flag,
  isLiveContent: flag,
  isUpcoming: flag,
  isPostLiveDvr: flag,
  isPrivate: flag,
})

const PlayerResponse = z.object({
  playabilityStatus: lenient(PlayabilityStatus),
  videoDetails: lenient(VideoDetails),
  captions: lenient(z.object({ playerCaptionsTracklistRenderer: lenient(CaptionList) })),
  microformat: lenient(z.object({ playerMicroformatRenderer: lenient(z.object({ publishDate: string })) })),
})
/** The parts of the platform's response to `/player` that we use. */
export type PlayerResponse = z.infer<typeof PlayerResponse>

const LenientResponse = PlayerResponse.catch({})

export const parsePlayerResponse = (body: unknown): PlayerResponse => LenientResponse.parse(body)
