import { cleanLine } from '@subtext/captions'
import type { CaptionTrack } from '@subtext/contracts'
import { isPlatformAddress, PLATFORM } from './platform-address.ts'
import { PlatformTrack, type PlayerResponse } from './player-response.ts'

const LONGEST_NAME = 200
const LONGEST_KEY = 200
const UNDETERMINED = 'und'

/** A listed track with the address of its captions. */
export interface AddressedTrack extends CaptionTrack {
  baseUrl: string
}

/** Canonical BCP-47 spelling; the platform uses some retired codes. */
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
  // `tlang` asks for a machine translation.
  return new URL(data.baseUrl, PLATFORM).searchParams.get('tlang') ? null : data
}

const toTrack = (track: PlatformTrack, isDefault: boolean): AddressedTrack => {
  const language = languageTag(track.languageCode)
  const automatic = isAutomatic(track)
  return {
    key: cleanLine(track.vssId ?? '', LONGEST_KEY) || `${automatic ? 'a' : ''}.${language}`,
    language,
    kind: automatic ? 'auto' : 'manual',
    name: cleanLine(track.name ?? '', LONGEST_NAME) || language,
    isDefault,
    baseUrl: track.baseUrl,
  }
}

const defaultTrackIndex = (response: PlayerResponse): number | undefined => {
  const list = captionList(response)
  return list?.audioTracks?.[list.defaultAudioTrackIndex ?? 0]?.defaultCaptionTrackIndex
}

/** The caption tracks of a video in the platform's order, each key once; machine translations are left out. */
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

/** The tracks of several views of a video, each key once; the order and the default are those of the first. */
export const mergeTracks = (views: AddressedTrack[][]): CaptionTrack[] => {
  const byKey = new Map<string, CaptionTrack>()
  for (const [position, tracks] of views.entries()) {
    for (const { baseUrl: _, ...track } of tracks) {
      if (!byKey.has(track.key)) byKey.set(track.key, position === 0 ? track : { ...track, isDefault: false })
    }
  }
  return [...byKey.values()]
}

// Audio tracks are named `<language>.<type>`; type 4 is the original sound of a video with dubbed ones.
const ORIGINAL_AUDIO = /^([A-Za-z]{2,3}(?:-[A-Za-z\d]+)*)\.4$/

/**
 * Spoken language (BCP-47), or `null` where the platform does not say: that of the original sound, else of the
 * automatic captions. The original sound comes first because speech recognition may take a language for another.
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
 * Address of a track's captions as json3 in its own language; `null` when it is not on the platform. The first `fmt`
 * counts, so it is replaced; `xosf` adds position marks to the text.
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

/** The platform answers such an address only with a token of its web player, and else with nothing. */
export const isGated = (url: URL): boolean => url.searchParams.getAll('exp').some((value) => /xpe|xpv/.test(value))
