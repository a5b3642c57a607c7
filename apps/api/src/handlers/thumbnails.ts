import type { thumbnails } from '@subtext/contracts'
import { findThumbnails } from '@subtext/core/videos'
import type { Handlers } from '../http/mount.ts'

export const thumbnailHandlers: Handlers<typeof thumbnails> = {
  find: async (ctx, { query }) => ({ data: await findThumbnails(ctx, query.url) }),
}
