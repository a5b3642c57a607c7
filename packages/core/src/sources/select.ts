import {
  MAX_BATCH_VIDEOS,
  ServiceError,
  type SourceSelection,
  type ValidationIssue,
  validationError,
} from '@subtext/contracts'
import type { Actor, Context } from '../context.ts'
import { assertListed, getSource } from './sources.ts'
import { findSubjects, type VideoSubject } from './submittable.ts'
import { findUnlisted, selectSourceVideos } from './videos-sql.ts'

export interface SelectedVideos {
  /** In the order of the source. */
  videoIds: string[]
  /** What their jobs are accepted with, by their IDs. */
  subjects: Map<string, VideoSubject>
  /** How many more fit. */
  remaining: number
}

/**
 * Selects the first videos of a source of the actor that fit, as many as a batch can have. Errors: those of `listVideos`,
 * `VALIDATION_ERROR` for videos that the source does not list, `NOTHING_SELECTED`.
 */
export async function selectVideos(
  ctx: Pick<Context, 'db'>,
  actor: Actor,
  { source_id, select }: SourceSelection,
): Promise<SelectedVideos> {
  const source = await getSource(ctx, actor, source_id)
  assertListed(source)
  const { video_ids: videoIds, published_after, newest } = select
  if (videoIds) await refuseUnlisted(ctx, source.sourceId, videoIds)
  const fitting = await selectSourceVideos(ctx.db, {
    sourceId: source.sourceId,
    userId: actor.userId,
    videoIds,
    newest,
    types: select.types,
    notProcessed: select.not_processed,
    minSeconds: select.min_duration_seconds,
    maxSeconds: select.max_duration_seconds,
    publishedAfter: published_after === undefined ? undefined : new Date(published_after),
    // A channel is in the order of time, which the platform says more exactly than the times themselves.
    isByTime: source.kind === 'playlist' && newest !== undefined,
  })
  if (fitting.length === 0) throw new ServiceError('NOTHING_SELECTED')
  const selected = fitting.slice(0, MAX_BATCH_VIDEOS)
  const subjects = await findSubjects(ctx, source.sourceId, selected)
  return { videoIds: selected, subjects, remaining: fitting.length - selected.length }
}

async function refuseUnlisted(ctx: Pick<Context, 'db'>, sourceId: string, videoIds: readonly string[]): Promise<void> {
  const unlisted = await findUnlisted(ctx.db, sourceId, videoIds)
  const issues = videoIds.flatMap((videoId, index): ValidationIssue[] =>
    unlisted.has(videoId)
      ? [
          {
            path: `source.select.video_ids.${index}`,
            message: 'Is not a video that the source lists.',
            code: 'unknown_video',
          },
        ]
      : [],
  )
  if (issues.length > 0) throw validationError(issues)
}
