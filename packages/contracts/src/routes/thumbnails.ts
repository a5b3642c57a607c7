import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { VideoUrl } from './submit-video.ts'

const Thumbnail = z.object({ url: z.url(), width: z.int(), height: z.int() }).meta({ id: 'Thumbnail' })

export const Thumbnails = z
  .object({
    video_id: z.string(),
    video_url: z.url(),
    thumbnails: z.object({
      default: Thumbnail,
      medium: Thumbnail,
      high: Thumbnail,
      standard: Thumbnail.optional(),
      maxres: Thumbnail.optional(),
    }),
  })
  .meta({ id: 'Thumbnails' })
export type Thumbnails = z.infer<typeof Thumbnails>

export const thumbnails = {
  find: defineRoute({
    method: 'get',
    path: '/videos/thumbnails',
    operationId: 'getThumbnails',
    summary: 'Thumbnails of a video',
    description: [
      'Returns the URLs of the thumbnails on the platform. The three smaller sizes exist for every video; `standard` and',
      '`maxres` are included if they exist. The first request for a video asks the image host, and the answer is remembered.',
      'If the host does not answer soon, they are included if the platform has listed them for this video. Whether the video',
      'itself exists is not checked.',
    ].join(' '),
    access: 'read',
    openable: true,
    query: z.strictObject({
      url: VideoUrl,
    }),
    response: Thumbnails,
    status: 200,
    errors: ['VALIDATION_ERROR', 'INVALID_VIDEO_URL'],
    example: { query: { url: 'https://youtu.be/dQw4w9WgXcQ' } },
  }),
}
