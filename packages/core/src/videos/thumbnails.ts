import type { Thumbnails } from '@subtext/contracts'
import { findVideo } from '@subtext/db'
import type { Context } from '../context.ts'
import { refuseVideoUrl } from './refuse-url.ts'
import { canonicalVideoUrl, parseVideoUrl } from './video-url.ts'

// Names and sizes: https://developers.google.com/youtube/v3/docs/thumbnails
const SIZES = {
  default: { file: 'default', width: 120, height: 90 },
  medium: { file: 'mqdefault', width: 320, height: 180 },
  high: { file: 'hqdefault', width: 480, height: 360 },
  standard: { file: 'sddefault', width: 640, height: 480 },
  maxres: { file: 'maxresdefault', width: 1280, height: 720 },
} as const
type Size = keyof typeof SIZES

/**
 * Returns the addresses of a video's thumbnails. The two large sizes do not exist for every video, so they are included only
 * if the platform has named them for this video before. Error: `INVALID_VIDEO_URL`.
 */
export async function findThumbnails(ctx: Pick<Context, 'db'>, url: string): Promise<Thumbnails> {
  const videoId = parseVideoUrl(url)
  if (!videoId) throw refuseVideoUrl('query.url', url)
  const known = (await findVideo(ctx.db, videoId))?.info.thumbnail_url ?? ''
  return {
    video_id: videoId,
    video_url: canonicalVideoUrl(videoId),
    thumbnails: {
      default: buildThumbnail(videoId, 'default'),
      medium: buildThumbnail(videoId, 'medium'),
      high: buildThumbnail(videoId, 'high'),
      ...(namesSize(known, videoId, 'standard') && { standard: buildThumbnail(videoId, 'standard') }),
      ...(namesSize(known, videoId, 'maxres') && { maxres: buildThumbnail(videoId, 'maxres') }),
    },
  }
}

const buildThumbnail = (videoId: string, size: Size) => {
  const { file, width, height } = SIZES[size]
  return { url: `https://i.ytimg.com/vi/${videoId}/${file}.jpg`, width, height }
}

/** Returns whether an address from the platform is that of this size. It may also end in `.webp` and have parameters. */
const namesSize = (address: string, videoId: string, size: Size): boolean =>
  new RegExp(`^/vi(?:_webp)?/${videoId}/${SIZES[size].file}\\.\\w+$`).test(URL.parse(address)?.pathname ?? '')
