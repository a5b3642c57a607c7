import { cleanLine, isSameLanguage, languageOf } from '@subtext/captions'
import type { CaptionTrack, TrackRole } from '@subtext/contracts'
import { isPlatformAddress, PLATFORM } from '../session/platform-address.ts'
import { PlatformTrack, type PlayerResponse } from './player-response.ts'

const MAX_NAME_LENGTH = 200
const MAX_KEY_LENGTH = 200
/** Far more than the platform offers. */
const MAX_TRACKS = 500
const UNDETERMINED = 'und'

/** A track with the address of its captions. */
export interface AddressedTrack extends CaptionTrack {
  baseUrl: string
}

/** Returns the canonical BCP-47 spelling of a code. The platform uses some retired codes. */
const languageTag = (code: string): string => {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? UNDETERMINED
  } catch {
    return UNDETERMINED
  }
}

const isAutomatic = ({ kind, vssId }: PlatformTrack): boolean => kind === 'asr' || vssId?.startsWith('a.') === true

const captionList = (response: PlayerResponse) => response.captions?.playerCaptionsTracklistRenderer

const parseTrack = (candidate: unknown): PlatformTrack | null => {
  const { data } = PlatformTrack.safeParse(candidate)
  if (!data || !URL.canParse(data.baseUrl, PLATFORM)) return null
  // `tlang` requests a machine translation.
  return new URL(data.baseUrl, PLATFORM).searchParams.get('tlang') ? null : data
}

// Audio tracks are named `<language>.<type>`.
const AUDIO = /^([A-Za-z]{2,3}(?:-[A-Za-z\d]+)*)\.(\d+)$/
/** Type of the original audio of a video that also has other audio. */
const ORIGINAL = '4'
/** Type of audio in which a narrator also describes what is shown. */
const DESCRIBED = '2'
/** Type of audio that a machine translated and spoke. */
const DUB = '10'

interface Audio {
  language: string
  type: string
  /** Positions of the caption tracks that are offered with it. */
  captions: number[]
}

const listAudio = (response: PlayerResponse): Audio[] =>
  (captionList(response)?.audioTracks ?? []).slice(0, MAX_TRACKS).flatMap((audio) => {
    const [, code, type] = AUDIO.exec(audio?.audioTrackId ?? '') ?? []
    return code && type ? [{ language: languageTag(code), type, captions: audio?.captionTrackIndices ?? [] }] : []
  })

/** What the audio of a video shows about its caption tracks, looked up once for all of them. */
interface Dubs {
  /** Positions of the tracks that are offered only with dubbed audio, if the platform also lists the tracks of other audio. */
  positions: Set<number>
  /** Whether all audio in a language is dubbed, by tag and by language. */
  tags: Map<string, boolean>
  languages: Map<string, boolean>
}

const isDub = ({ type }: Audio): boolean => type === DUB

const findDubbed = (audio: Audio[], keyOf: (language: string) => string): Map<string, boolean> => {
  const dubbed = new Map<string, boolean>()
  for (const one of audio) {
    const key = keyOf(one.language)
    dubbed.set(key, isDub(one) && dubbed.get(key) !== false)
  }
  return dubbed
}

/** Returns the positions of the tracks that are offered only with such audio; none if no other audio has tracks. */
const findOffered = (audio: Audio[], isSuch: (one: Audio) => boolean): Set<number> => {
  const others = new Set(audio.filter((one) => !isSuch(one)).flatMap(({ captions }) => captions))
  if (others.size === 0) return others
  const offered = audio.filter(isSuch).flatMap(({ captions }) => captions)
  return new Set(offered.filter((position) => !others.has(position)))
}

const findDubs = (audio: Audio[]): Dubs => ({
  positions: findOffered(audio, isDub),
  tags: findDubbed(audio, (tag) => tag),
  languages: findDubbed(audio, languageOf),
})

/**
 * Returns whether a track belongs to machine-dubbed audio: an automatic track if only such audio is in its language, and any
 * track that the platform lists for such audio alone.
 */
const isOfDub = (track: PlatformTrack, position: number, dubs: Dubs): boolean => {
  if (track.audioTrackId?.endsWith(`.${DUB}`) || dubs.positions.has(position)) return true
  if (!isAutomatic(track)) return false
  const tag = languageTag(track.languageCode)
  return dubs.tags.get(tag) ?? dubs.languages.get(languageOf(tag)) ?? false
}

/** Returns the purpose of a track that was not made for the video as it was filmed. */
const roleOf = (track: PlatformTrack, position: number, dubs: Dubs): TrackRole | undefined => {
  const isForced = !isAutomatic(track) && track.kind !== undefined && track.kind !== ''
  if (isForced) return 'forced'
  return isOfDub(track, position, dubs) ? 'dub' : undefined
}

const toTrack = (track: PlatformTrack, isDefault: boolean, role: TrackRole | undefined): AddressedTrack => {
  const language = languageTag(track.languageCode)
  const automatic = isAutomatic(track)
  return {
    key: cleanLine(track.vssId ?? '', MAX_KEY_LENGTH) || `${automatic ? 'a' : ''}.${language}`,
    language,
    kind: automatic ? 'auto' : 'manual',
    name: cleanLine(track.name ?? '', MAX_NAME_LENGTH) || language,
    isDefault,
    ...(role && { role }),
    baseUrl: track.baseUrl,
  }
}

const defaultTrackIndex = (response: PlayerResponse): number | undefined => {
  const list = captionList(response)
  const original = list?.audioTracks?.find((audio) => audio?.audioTrackId?.endsWith(`.${ORIGINAL}`))
  return (original ?? list?.audioTracks?.[list.defaultAudioTrackIndex ?? 0])?.defaultCaptionTrackIndex
}

/** Cached, because several functions need the tracks of a response. */
const listed = new WeakMap<PlayerResponse, AddressedTrack[]>()

/**
 * Lists the caption tracks of a video in the platform's order, each key once, without machine translations. Those of described
 * audio, which contain the words of its narrator, come last.
 */
export const listPlatformTracks = (response: PlayerResponse): readonly AddressedTrack[] => {
  const tracks = listed.get(response) ?? readTracks(response)
  listed.set(response, tracks)
  return tracks
}

const readTracks = (response: PlayerResponse): AddressedTrack[] => {
  const byKey = new Map<string, AddressedTrack>()
  const defaultIndex = defaultTrackIndex(response)
  const audio = listAudio(response)
  const dubs = findDubs(audio)
  const described = findOffered(audio, ({ type }) => type === DESCRIBED)
  const candidates = [...(captionList(response)?.captionTracks ?? []).slice(0, MAX_TRACKS).entries()]
  const ordered = candidates.toSorted(([one], [other]) => Number(described.has(one)) - Number(described.has(other)))
  for (const [position, candidate] of ordered) {
    const parsed = parseTrack(candidate)
    if (!parsed) continue
    const track = toTrack(parsed, position === defaultIndex, roleOf(parsed, position, dubs))
    const known = byKey.get(track.key)
    if (!known || (known.role && !track.role)) byKey.set(track.key, track)
  }
  return [...byKey.values()]
}

/** Merges the tracks of several views of a video, each key once. The first view determines the order and the default. */
export const mergeTracks = (views: (readonly AddressedTrack[])[]): CaptionTrack[] => {
  const byKey = new Map<string, CaptionTrack>()
  for (const [position, tracks] of views.entries()) {
    for (const { baseUrl: _, ...track } of tracks) {
      if (!byKey.has(track.key)) byKey.set(track.key, position === 0 ? track : { ...track, isDefault: false })
    }
  }
  return [...byKey.values()]
}

/**
 * Returns the spoken language (BCP-47): that of the original audio, or else of the automatic captions, or `null` if the
 * platform names neither. The audio comes first because speech recognition may mistake one language for another.
 */
export const selectSpokenLanguage = (response: PlayerResponse): string | null => {
  const original = listAudio(response).find(({ type }) => type === ORIGINAL)
  if (original) return original.language
  const automatic = listPlatformTracks(response).find(({ kind, role }) => kind === 'auto' && role === undefined)
  return automatic && automatic.language !== UNDETERMINED ? automatic.language : null
}

/**
 * Returns whether another app may know a better track: some apps are not told about manual tracks with styles
 * (https://github.com/jdepoix/youtube-transcript-api/issues/609), so the one in the requested or spoken language may be missing.
 */
export const lacksManualTrack = (response: PlayerResponse, requested?: string): boolean => {
  const manual = listPlatformTracks(response).filter(({ kind, role }) => kind === 'manual' && role === undefined)
  const wanted = requested ?? selectSpokenLanguage(response)
  return manual.length === 0 || (wanted !== null && !manual.some(({ language }) => isSameLanguage(language, wanted)))
}

/**
 * Returns the address of a track's captions as json3 in their own language, or `null` if it is not on the platform. Only
 * the first `fmt` counts, so it is replaced. `xosf` would add position marks to the text.
 */
export const buildCaptionUrl = (baseUrl: string, origin?: string): URL | null => {
  if (!URL.canParse(baseUrl, PLATFORM)) return null
  const url = new URL(baseUrl, PLATFORM)
  if (!isPlatformAddress(url, origin)) return null
  url.searchParams.set('fmt', 'json3')
  url.searchParams.delete('tlang')
  url.searchParams.delete('xosf')
  return url
}

/** Returns whether the platform answers this address only with a token of its web player, and otherwise with nothing. */
export const isGated = (url: URL): boolean => url.searchParams.getAll('exp').some((value) => /xpe|xpv/.test(value))
