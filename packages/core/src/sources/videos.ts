import type { SourceVideoType, Warning } from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { createCursors } from '../cursor.ts'
import { assertListed, getSource } from './sources.ts'
import type { AccountSource } from './sources-sql.ts'
import { findPosition, listSourceVideos, type StoredSourceVideo } from './videos-sql.ts'

export interface VideosQuery {
  types?: readonly SourceVideoType[] | undefined
  notProcessed: boolean
  sinceVideoId?: string | undefined
  limit: number
  cursor?: string | undefined
}

export interface VideosPage {
  videos: StoredSourceVideo[]
  nextCursor: string | null
  warnings: Warning[]
}

/**
 * Lists videos of a source of the actor. Errors: `NOT_FOUND`, `JOB_NOT_COMPLETED` for a source that is being listed for the first
 * time, the error of one that could not be listed, `VALIDATION_ERROR` for a cursor of another list.
 */
export async function listVideos(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  id: string,
  { types, notProcessed, sinceVideoId, limit, cursor }: VideosQuery,
): Promise<VideosPage> {
  const source = await getSource(ctx, actor, id)
  assertListed(source)
  const list = `source ${source.sourceId} ${actor.userId} ${types?.join() ?? ''} ${notProcessed} ${sinceVideoId ?? ''}`
  const cursors = createCursors({ list, status: null })
  const place = cursor === undefined ? null : cursors.decode(cursor)
  const range = await findRange(ctx, source, sinceVideoId)
  const found = await listSourceVideos(
    ctx.db,
    { sourceId: source.sourceId, userId: actor.userId, types, notProcessed },
    { after: Math.max(range.after, place?.passed ?? 0), before: range.before, limit: limit + 1 },
  )
  const videos = found.slice(0, limit)
  const last = videos.at(-1)
  const hasMore = last !== undefined && found.length > limit
  return {
    videos,
    nextCursor: hasMore ? cursors.encode({ id: source.sourceId, passed: last.position }) : null,
    warnings: range.isUnknown ? [WATERMARK_NOT_FOUND] : [],
  }
}

const WATERMARK_NOT_FOUND: Warning = {
  code: 'WATERMARK_NOT_FOUND',
  message: 'The source does not list the video `since_video_id`, so all of its videos are returned.',
}

/** What is newer than a video stands before it in a channel, and after it in a playlist. */
async function findRange(ctx: Pick<Context, 'db'>, { sourceId, kind }: AccountSource, since: string | undefined) {
  const all = { after: 0, before: null, isUnknown: false }
  if (since === undefined) return all
  const position = await findPosition(ctx.db, sourceId, since)
  if (position === null) return { ...all, isUnknown: true }
  return kind === 'playlist' ? { ...all, after: position } : { ...all, before: position }
}
