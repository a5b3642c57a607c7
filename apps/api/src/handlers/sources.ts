import type { sources } from '@subtext/contracts'
import { askForSource, awaitSource, deleteSource, listSources, listVideos } from '@subtext/core/sources'
import type { Handlers } from '../http/mount.ts'
import { POLL_AGAIN } from '../http/poll-again.ts'
import { presentCursorPage, presentPage } from '../presenters/page.ts'
import { presentSource, presentSourceVideo, sourcePath } from '../presenters/source.ts'

export const sourceHandlers: Handlers<typeof sources> = {
  ask: async (ctx, { body }, { actor, abortSignal }) => {
    const { source, isFresh } = await askForSource(ctx, actor, body, abortSignal())
    return {
      headers: { Location: sourcePath(source.id) },
      data: presentSource(source, ctx.http.publicBaseUrl),
      ...(isFresh && { status: 200 }),
    }
  },
  list: async (ctx, { query }, { actor }) => {
    const page = await listSources(ctx, actor, query)
    const entries = page.entries.map((source) => presentSource(source, ctx.http.publicBaseUrl))
    return { data: { sources: entries, pagination: presentPage(page) } }
  },
  get: async (ctx, { params, query }, { actor, abortSignal }) => {
    const source = await awaitSource(ctx, actor, params.source_id, query.wait ?? 0, abortSignal())
    return { ...(source.isDue && { headers: POLL_AGAIN }), data: presentSource(source, ctx.http.publicBaseUrl) }
  },
  videos: async (ctx, { params, query }, { actor }) => {
    const { type, not_processed, since_video_id, limit, cursor } = query
    const page = await listVideos(ctx, actor, params.source_id, {
      types: type && [type],
      notProcessed: not_processed === 'true',
      sinceVideoId: since_video_id,
      limit,
      cursor,
    })
    const pagination = presentCursorPage(limit, page.nextCursor)
    return { data: { videos: page.videos.map(presentSourceVideo), pagination }, warnings: page.warnings }
  },
  delete: async (ctx, { params }, { actor }) => {
    await deleteSource(ctx, actor, params.source_id)
    return { empty: true }
  },
}
