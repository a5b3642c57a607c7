import { cleanLine } from '@subtext/captions'
import type { CaptionTrack } from '@subtext/contracts'
import { isPlatformAddress, PLATFORM } from '../session/platform-address.ts'
import { PlatformTrack, type PlayerResponse } from './player-response.ts'

const MAX_NAME_LENGTH = 200
const MAX_KEY_LENGTH = 200
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

const toTrack = (track: PlatformTrack, isDefault: boolean): AddressedTrack => {
  const language = languageTag(track.languageCode)
  const automatic = isAutomatic(track)
  return {
    key: cleanLine(track.vssId ?? '', MAX_KEY_LENGTH) || `${automatic ? 'a' : ''}.${language}`,
    language,
    kind: automatic ? 'auto' : 'manual',
    name: cleanLine(track.name ?? '', MAX_NAME_LENGTH) || language,
    isDefault,
    baseUrl: track.baseUrl,
  }
}

const defaultTrackIndex = (response: PlayerResponse): number | undefined => {
  const list = captionList(response)
  return list?.audioTracks?.[list.defaultAudioTrackIndex ?? 0]?.defaultCaptionTrackIndex
}

/** Lists the caption tracks of a video in the platform's order, each key once, without machine translations. */
export const listPlatformTracks = (response: PlayerResponse): AddressedTrack[] => {
  const byKey = new Map<string, AddressedTrack>()
  const defaultIndex = defaultTrackIndex(response)
  for (const [position, candidate] of (captionList(response)?.captionTracks ?? []).entries()) {
    const parsed = parseTrack(candidate)
    if (!parsed) continue
    const track = toTrack(parsed, position === defaultIndex)
    if (!byKey.has(track.key)) byKey.set(track.key, track)
  }
  return [...byKey.values()]
}

/** Merges the tracks of several views of a video, each key once. The first view determines the order and the default. */
export const mergeTracks = (views: AddressedTrack[][]): CaptionTrack[] => {
  const byKey = new Map<string, CaptionTrack>()
  for (const [position, tracks] of views.entries()) {
    for (const { baseUrl: _, ...track } of tracks) {
      if (!byKey.has(track.key)) byKey.set(track.key, position === 0 ? track : { ...track, isDefault: false })
    }
  }
  return [...byKey.values()]
}

// Audio tracks are named `<language>.<type>`. Type 4 is the original audio of a video that has dubbed audio too.
const ORIGINAL_AUDIO = /^([A-Za-z]{2,3}(?:-[A-Za-z\d]+)*)\.4$/

/**
 * Returns the spoken language (BCP-47): that of the original audio, or else of the automatic captions, or `null` if the
 * platform names neither. The audio comes first because speech recognition may mistake one language for another.
 */
export const selectSpokenLanguage = (response: PlayerResponse): string | null => {
  for (const audio of captionList(response)?.audioTracks ?? []) {
    const original = ORIGINAL_AUDIO.exec(audio?.audioTrackId ?? '')
    if (original?.[1]) return languageTag(original[1])
  }
  const automatic = listPlatformTracks(response).find(({ kind }) => kind === 'auto')
  return automatic && automatic.language !== UNDETERMINED ? automatic.language : null
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
