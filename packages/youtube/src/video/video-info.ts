import { cleanLine, cleanParagraphs } from '@subtext/captions'
import type { CaptionTrack, VideoInfo } from '@subtext/contracts'
import { PLATFORM } from '../session/platform-address.ts'
import { selectSpokenLanguage } from './caption-tracks.ts'
import { parseChapters } from './chapters.ts'
import type { PlayerResponse } from './player-response.ts'

// The platform allows 100 and 5,000 characters; astral ones count twice here.
const MAX_TITLE_LENGTH = 300
const MAX_NAME_LENGTH = 300
const MAX_DESCRIPTION_LENGTH = 10_000
const MAX_ADDRESS_LENGTH = 2_000

const IMAGE_HOST = /(?:^|\.)(?:ytimg\.com|ggpht\.com|googleusercontent\.com)$/

const isImageAddress = (address: string): boolean => {
  if (address.length > MAX_ADDRESS_LENGTH || !URL.canParse(address)) return false
  const { protocol, hostname, username, port } = new URL(address)
  return protocol === 'https:' && username === '' && port === '' && IMAGE_HOST.test(hostname)
}

const selectThumbnail = (details: PlayerResponse['videoDetails'], videoId: string): string => {
  let largest = { url: `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`, area: -1 }
  for (const thumbnail of details?.thumbnail?.thumbnails ?? []) {
    if (!thumbnail) continue
    const area = (thumbnail.width ?? 0) * (thumbnail.height ?? 0)
    const url = thumbnail.url.startsWith('//') ? `https:${thumbnail.url}` : thumbnail.url
    if (area > largest.area && isImageAddress(url)) largest = { url: new URL(url).href, area }
  }
  return largest.url
}

const parseDuration = (length: string | number | undefined): number => {
  const seconds = Number(length ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0
}

const parsePublished = (date: string | undefined): string | null => {
  const time = date === undefined ? Number.NaN : Date.parse(date)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}

/** Returns the time of publication (ISO 8601), which only the website's responses contain. */
export const selectPublishedAt = (response: PlayerResponse): string | null =>
  parsePublished(response.microformat?.playerMicroformatRenderer?.publishDate)

const buildChannel = (details: PlayerResponse['videoDetails']): VideoInfo['channel'] => {
  const id = /^[\w-]{1,64}$/.test(details?.channelId ?? '') ? (details?.channelId ?? '') : ''
  return {
    id,
    name: cleanLine(details?.author ?? '', MAX_NAME_LENGTH),
    url: id === '' ? '' : `${PLATFORM}/channel/${id}`,
  }
}

/** Builds the information about a video from the platform's response. All text is foreign and made safe to show. */
export const buildVideoInfo = (
  response: PlayerResponse,
  videoId: string,
  tracks: readonly CaptionTrack[] = [],
): VideoInfo => {
  const details = response.videoDetails
  const description = cleanParagraphs(details?.shortDescription ?? '', MAX_DESCRIPTION_LENGTH)
  const duration = parseDuration(details?.lengthSeconds)
  return {
    video_id: videoId,
    url: `${PLATFORM}/watch?v=${videoId}`,
    title: cleanLine(details?.title ?? '', MAX_TITLE_LENGTH),
    channel: buildChannel(details),
    description,
    published_at: selectPublishedAt(response),
    duration_seconds: duration,
    thumbnail_url: selectThumbnail(details, videoId),
    language: selectSpokenLanguage(response),
    is_live_archive: details?.isLiveContent === true && details.isLive !== true,
    chapters: parseChapters(description, duration),
    available_tracks: tracks.map(({ language, kind, name, isDefault, role }) => ({
      language,
      kind,
      name,
      is_default: isDefault,
      ...(role && { role }),
    })),
  }
}
