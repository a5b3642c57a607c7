import type { PlayerJsonReply, SampleTrack, SampleVideo } from './sample-video.ts'

/** Properties of a player request that the response depends on. */
export interface PlayerContext {
  /** The client name in upper case. */
  client: string
  visitorData: string
  /** Epoch milliseconds. */
  now: number
}

const TRACK_URL_LIFETIME_MS = 6 * 3600 * 1000
const MOBILE = new Set(['ANDROID', 'ANDROID_VR'])

/** Returns the platform's key for a track: `.en` for a manual one, `a.en` for an auto-generated one, `f.en` for a forced one. */
export function buildVssId(track: SampleTrack): string {
  const prefix = track.role === 'forced' ? 'f' : track.kind === 'auto' ? 'a' : ''
  return `${prefix}.${track.language}`
}

/** Returns the platform's name for the kind of a track; none for an ordinary one. */
function kindOf({ kind, role }: SampleTrack): string | undefined {
  if (role === 'forced') return 'frc'
  return kind === 'auto' ? 'asr' : undefined
}

/** Names the audio of a video with dubs as the platform does, the original not first. Other videos have unnamed audio. */
function listAudioIds({ language, tracks }: SampleVideo): (string | undefined)[] {
  const dubbed = tracks.filter(({ role }) => role === 'dub').map((track) => `${track.language}.10`)
  return dubbed.length > 0 ? [...dubbed, `${language}.4`] : [undefined]
}

/** Builds the `ei` parameter of a caption URL. It is opaque on the platform; here it names the client of the URL. */
function encodeEventId(client: string): string {
  return Buffer.from(client).toString('base64url')
}

export function decodeEventId(ei: string | null): string {
  return Buffer.from(ei ?? '', 'base64url').toString()
}

/** Builds a player response in the shape of recorded ones, without streams, advertising and tracking. */
export function buildPlayerResponse(video: SampleVideo, reply: PlayerJsonReply, context: PlayerContext): object {
  const details = reply.details === null ? {} : { videoDetails: buildDetails(video, reply.details ?? {}) }
  const captions = reply.captions ?? 'tracks'
  const shown = { ...video, tracks: video.tracks.filter(({ hiddenFrom }) => !hiddenFrom?.includes(context.client)) }
  return {
    responseContext: { visitorData: context.visitorData, maxAgeSeconds: 0 },
    playabilityStatus: { status: 'OK', playableInEmbed: true, ...reply.playability },
    ...(captions === 'none' || shown.tracks.length === 0 ? {} : { captions: buildCaptions(shown, captions, context) }),
    ...details,
    ...(context.client === 'WEB' && reply.details !== null ? { microformat: buildMicroformat(video) } : {}),
    trackingParams: 'CAAQu2k=',
  }
}

function buildCaptions(video: SampleVideo, captions: 'tracks' | 'empty', context: PlayerContext): object {
  if (captions === 'empty') return { playerCaptionsTracklistRenderer: { captionTracks: [], audioTracks: [{}] } }
  const preferred = video.defaultTrack ?? 0
  const audioIds = listAudioIds(video)
  return {
    playerCaptionsTracklistRenderer: {
      captionTracks: video.tracks.map((track) => buildTrack(video, track, context)),
      audioTracks: audioIds.map((audioTrackId) => ({
        ...(audioTrackId && { audioTrackId }),
        captionTrackIndices: video.tracks.map((_, index) => index),
        ...(video.tracks[preferred]?.kind === 'manual'
          ? { defaultCaptionTrackIndex: preferred, hasDefaultTrack: true }
          : {}),
      })),
      translationLanguages: [
        { languageCode: 'es', languageName: { runs: [{ text: 'Spanish' }] } },
        { languageCode: 'ja', languageName: { runs: [{ text: 'Japanese' }] } },
      ],
      defaultAudioTrackIndex: audioIds.length - 1,
    },
  }
}

function buildTrack(video: SampleVideo, track: SampleTrack, context: PlayerContext): object {
  return {
    baseUrl: buildTrackUrl(video, track, context),
    name: { runs: [{ text: track.name }] },
    vssId: buildVssId(track),
    languageCode: track.language,
    ...(kindOf(track) && { kind: kindOf(track) }),
    isTranslatable: true,
    trackName: '',
  }
}

/** Caption URLs of the web client are always gated, as on the platform since 2025. */
function isGated(track: SampleTrack, client: string): boolean {
  return client === 'WEB' || track.gatedFor === 'all' || (track.gatedFor?.includes(client) ?? false)
}

function buildTrackUrl(video: SampleVideo, track: SampleTrack, context: PlayerContext): string {
  const url = new URL('https://www.youtube.com/api/timedtext')
  const set = (name: string, value: string) => url.searchParams.append(name, value)
  set('v', video.id)
  set('ei', encodeEventId(context.client))
  set('caps', 'asr')
  set('opi', '112496729')
  if (isGated(track, context.client)) set('exp', 'xpe')
  set('xoaf', '5')
  set('hl', 'en')
  set('ip', '0.0.0.0')
  set('ipbits', '0')
  set('expire', String(Math.floor((context.now + TRACK_URL_LIFETIME_MS) / 1000)))
  set('sparams', 'ip,ipbits,expire,v,ei,caps,opi,xoaf')
  set('signature', '0'.repeat(40))
  set('key', 'yt8')
  const kind = kindOf(track)
  if (kind) set('kind', kind)
  set('lang', track.language)
  if (MOBILE.has(context.client)) set('fmt', 'srv3')
  return url.href
}

function buildDetails(video: SampleVideo, changes: Readonly<Record<string, unknown>>): object {
  return {
    videoId: video.id,
    title: video.title,
    lengthSeconds: String(video.lengthSeconds),
    channelId: video.channelId,
    isOwnerViewing: false,
    shortDescription: video.description,
    isCrawlable: true,
    thumbnail: { thumbnails: buildThumbnails(video) },
    allowRatings: true,
    viewCount: String(video.viewCount),
    author: video.author,
    isPrivate: false,
    isUnpluggedCorpus: false,
    isLiveContent: false,
    isTvfilmVideo: false,
    ...changes,
  }
}

function buildThumbnails(video: SampleVideo): object[] {
  const sizes = [
    { name: 'default', width: 120, height: 90 },
    { name: 'mqdefault', width: 320, height: 180 },
    { name: 'hqdefault', width: 480, height: 360 },
    { name: 'sddefault', width: 640, height: 480 },
    { name: 'maxresdefault', width: 1280, height: 720 },
  ]
  return sizes.slice(0, video.highDefinition === false ? 3 : 5).map(({ name, width, height }) => ({
    url: `https://i.ytimg.com/vi/${video.id}/${name}.jpg`,
    width,
    height,
  }))
}

function buildMicroformat(video: SampleVideo): object {
  return {
    playerMicroformatRenderer: {
      thumbnail: { thumbnails: buildThumbnails(video).slice(-1) },
      embed: { iframeUrl: `https://www.youtube.com/embed/${video.id}`, width: 1280, height: 720 },
      title: { simpleText: video.title },
      description: { simpleText: video.description },
      lengthSeconds: String(video.lengthSeconds),
      ownerProfileUrl: `http://www.youtube.com/channel/${video.channelId}`,
      externalChannelId: video.channelId,
      isFamilySafe: true,
      availableCountries: ['BR', 'DE', 'ES', 'FR', 'IN', 'JP', 'KR', 'US'],
      isUnlisted: false,
      hasYpcMetadata: false,
      viewCount: String(video.viewCount),
      category: 'Education',
      publishDate: video.published,
      ownerChannelName: video.author,
      uploadDate: video.published,
      isShortsEligible: false,
      externalVideoId: video.id,
      canonicalUrl: `https://www.youtube.com/watch?v=${video.id}`,
    },
  }
}
