import type { Thumbnails } from '@subtext/contracts'
import type { PrismaContext } from '../context.ts'
import { findVideo } from '../transcripts/index.ts'
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

/** Which large thumbnails of a video exist. */
interface LargeThumbnails {
  standard: boolean
  maxres: boolean
}

/** Asks which large thumbnails a video has; null if that cannot be found out quickly. Never rejects. */
type FindLargeThumbnails = (videoId: string) => Promise<LargeThumbnails | null>

interface ThumbnailContext extends Pick<PrismaContext, 'db' | 'clock' | 'log'> {
  findLargeThumbnails: FindLargeThumbnails
}

/**
 * Returns the addresses of a video's thumbnails. The two large sizes do not exist for every video: the image host is asked
 * once, and its answer is remembered. Without one, they are included if the platform has named them for this video before.
 * Error: `INVALID_VIDEO_URL`.
 */
export async function findThumbnails(ctx: ThumbnailContext, url: string): Promise<Thumbnails> {
  const videoId = parseVideoUrl(url)
  if (!videoId) throw refuseVideoUrl('query.url', url)
  const known = (await findVideo(ctx.db, videoId))?.info.thumbnail_url ?? ''
  const large = await findLargeSizes(ctx, videoId)
  const has = (size: keyof LargeThumbnails): boolean => large?.[size] === true || namesSize(known, videoId, size)
  return {
    video_id: videoId,
    video_url: canonicalVideoUrl(videoId),
    thumbnails: {
      default: buildThumbnail(videoId, 'default'),
      medium: buildThumbnail(videoId, 'medium'),
      high: buildThumbnail(videoId, 'high'),
      ...(has('standard') && { standard: buildThumbnail(videoId, 'standard') }),
      ...(has('maxres') && { maxres: buildThumbnail(videoId, 'maxres') }),
    },
  }
}

async function findLargeSizes(ctx: ThumbnailContext, videoId: string): Promise<LargeThumbnails | null> {
  const { thumbnail } = ctx.db.prisma
  const stored = await thumbnail.findUnique({ where: { videoId }, select: { standard: true, maxres: true } })
  if (stored) return stored
  const found = await ctx.findLargeThumbnails(videoId)
  if (found) {
    const row = { ...found, checkedAt: ctx.clock() }
    // The response does not depend on it: if it is lost, the next request asks again.
    await thumbnail
      .upsert({ where: { videoId }, create: { videoId, ...row }, update: row })
      .catch((error: Error) => ctx.log.warn('thumbnail sizes not stored', { video_id: videoId, error: error.message }))
  }
  return found
}

const buildThumbnail = (videoId: string, size: Size) => {
  const { file, width, height } = SIZES[size]
  return { url: `https://i.ytimg.com/vi/${videoId}/${file}.jpg`, width, height }
}

/** Returns whether an address from the platform is that of this size. It may also end in `.webp` and have parameters. */
const namesSize = (address: string, videoId: string, size: Size): boolean => {
  const [, id, file] = /^\/vi(?:_webp)?\/([^/]+)\/(\w+)\.\w+$/.exec(URL.parse(address)?.pathname ?? '') ?? []
  return id === videoId && file === SIZES[size].file
}
