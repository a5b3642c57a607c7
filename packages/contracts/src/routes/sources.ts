import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { queryBoolean, queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { JobStatus } from '../vocabulary.ts'
import { JobError } from './job.ts'
import { CursorPagination, MAX_OFFSET, MAX_PAGE_SIZE, Pagination } from './list.ts'
import { MAX_URL_LENGTH } from './submit-video.ts'

export const SOURCE_KINDS = ['playlist', 'channel', 'podcast'] as const
const SourceKind = z.enum(SOURCE_KINDS).meta({ id: 'SourceKind' })

const SourceStatus = z.enum(['listing', 'ready', 'failed']).meta({
  id: 'SourceStatus',
  description:
    '`listing`: its videos are being listed for the first time. `ready`: they can be read, also while they are listed anew. `failed`: they could not be listed; `error` says why.',
})

export const SOURCE_VIDEO_TYPES = ['video', 'short', 'live', 'episode'] as const
export const SourceVideoType = z.enum(SOURCE_VIDEO_TYPES).meta({
  id: 'SourceVideoType',
  description:
    '`short`: a short video. `live`: a stream or the recording of one. `episode`: of a podcast. Everything in a playlist is a `video`.',
})
export type SourceVideoType = z.infer<typeof SourceVideoType>

/** Videos that are kept of a source. */
export const MAX_SOURCE_VIDEOS = 5_000

const Coverage = z
  .object({
    episodes: z.int().min(0),
    with_transcript: z.int().min(0).meta({ description: 'Episodes that can be processed.' }),
  })
  .meta({ id: 'SourceCoverage', description: 'Of a podcast: few feeds name transcripts of their episodes.' })

export const Source = z
  .object({
    source_id: z.uuid(),
    kind: SourceKind,
    url: z.url().meta({ description: 'The source on the platform, or the feed of a podcast.' }),
    title: z.string().optional(),
    status: SourceStatus,
    listed_at: z.iso.datetime().optional().meta({ description: 'When its videos were last listed as a whole.' }),
    videos_total: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: `Number of videos that are listed, at most ${MAX_SOURCE_VIDEOS.toLocaleString('en-US')}.`,
      }),
    truncated: z.boolean().optional().meta({ description: 'Whether the source has more videos than are listed.' }),
    coverage: Coverage.optional(),
    error: JobError.optional().meta({
      description: 'Why it could not be listed. Of a source that is `ready`: why its last refresh failed.',
    }),
  })
  .meta({ id: 'Source' })
export type Source = z.infer<typeof Source>

const UnavailableReason = z
  .enum(['members_only', 'not_started', 'live', 'private', 'deleted', 'no_captions'])
  .meta({ id: 'SourceVideoReason', description: '`no_captions`: the feed names no transcript of the episode.' })
export type SourceVideoReason = z.infer<typeof UnavailableReason>

export const SourceVideo = z
  .object({
    video_id: z.string(),
    video_url: z.url(),
    title: z.string(),
    duration_seconds: z.int().min(0).optional(),
    published_at: z.iso.datetime().optional(),
    published_at_approximate: z
      .literal(true)
      .optional()
      .meta({ description: 'Present if `published_at` was computed from a text such as `3 days ago`.' }),
    position: z.int().min(1).meta({
      description: 'Place in the source: of a channel, the newest video has 1.',
    }),
    type: SourceVideoType,
    state: z
      .enum(['listed', 'unavailable'])
      .meta({ id: 'SourceVideoState', description: '`unavailable`: cannot be processed now; `reason` says why.' }),
    reason: UnavailableReason.optional(),
    job_id: z.uuid().optional().meta({ description: 'Your latest job of this video.' }),
    job_status: JobStatus.optional(),
  })
  .meta({ id: 'SourceVideo' })
export type SourceVideo = z.infer<typeof SourceVideo>

const SourceVideos = z
  .object({ videos: z.array(SourceVideo), pagination: CursorPagination })
  .meta({ id: 'SourceVideos' })

const SourceList = z.object({ sources: z.array(Source), pagination: Pagination }).meta({ id: 'SourceList' })

const SourceParams = z.object({ source_id: z.string().meta({ format: 'uuid' }) })

export const AskForSource = z
  .strictObject({
    url: text(MAX_URL_LENGTH, 1).meta({
      description:
        'Address of a playlist or of a channel in any of the forms that the platform uses, with or without a tab, or only the ID (`PL...`, `UC...`) or the `@handle`; or the http(s) URL of the feed of a podcast.',
    }),
    refresh: z.boolean().default(false).meta({ description: 'Lists it anew even if it was listed a moment ago.' }),
  })
  .meta({ id: 'AskForSource' })

export const sources = {
  ask: defineRoute({
    method: 'post',
    path: '/sources',
    operationId: 'askForSource',
    summary: 'List a playlist, a channel or a podcast',
    description: [
      'Lists the videos of a playlist or a channel, or the episodes of a podcast. Handles and other names are resolved first. The response is 200 if the source',
      'was listed within the last ten minutes, by whomever: its videos can be read at once. Otherwise it is 202: wait for it with',
      '`GET /sources/{source_id}?wait=60`. The same source always has the same `source_id` for you, by whatever name you ask for it.',
      'Listing is free and included in every plan. An account can cause 60 listings an hour.',
    ].join(' '),
    access: 'write',
    query: z.strictObject({}),
    body: AskForSource,
    idempotent: true,
    response: Source,
    status: 202,
    otherStatus: 200,
    responseHeaders: ['Location'],
    errors: ['VALIDATION_ERROR', 'INVALID_JSON', 'QUOTA_EXCEEDED'],
    example: { body: { url: 'https://www.youtube.com/playlist?list=PLBCF2DAC6FFB574DE' } },
  }),
  list: defineRoute({
    method: 'get',
    path: '/sources/',
    operationId: 'listSources',
    summary: 'List your sources',
    description: 'The sources that you have asked for, newest first.',
    access: 'read',
    query: z.strictObject({
      limit: queryInteger(1, MAX_PAGE_SIZE).default(20).meta({ description: 'Maximum number of sources per page.' }),
      offset: queryInteger(0, MAX_OFFSET)
        .optional()
        .meta({ description: 'Number of newest sources to skip. Cannot be combined with `cursor`.' }),
      cursor: z.string().max(200).optional().meta({ description: '`next_cursor` of the previous page.' }),
    }),
    response: SourceList,
    status: 200,
    errors: ['VALIDATION_ERROR'],
  }),
  get: defineRoute({
    method: 'get',
    path: '/sources/{source_id}',
    operationId: 'getSource',
    summary: 'Get a source',
    description:
      'Returns a source. With `wait`, the response comes as soon as nobody lists it any more, or after so many seconds.',
    access: 'read',
    params: SourceParams,
    query: z.strictObject({
      wait: queryInteger(0, 60).optional().meta({ description: 'Seconds to wait for the listing to end.' }),
    }),
    response: Source,
    status: 200,
    responseHeaders: ['Retry-After'],
    errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  videos: defineRoute({
    method: 'get',
    path: '/sources/{source_id}/videos',
    operationId: 'listSourceVideos',
    summary: 'Videos of a source',
    description: [
      'A channel is in the order of its uploads, newest first, and a playlist in its own order. Every video that you have',
      'processed has your latest job. A source that could not be listed responds with its error.',
    ].join(' '),
    access: 'read',
    params: SourceParams,
    query: z.strictObject({
      type: SourceVideoType.optional().meta({ description: 'Only videos of this type.' }),
      not_processed: queryBoolean.default('false').meta({
        description: '`true`: only videos that you have neither processed nor are processing.',
      }),
      since_video_id: z.string().min(1).max(64).optional().meta({
        description:
          'Only what is newer than this video: before it in a channel, after it in a playlist. If the source does not list it, everything is returned, with the warning `WATERMARK_NOT_FOUND`.',
      }),
      limit: queryInteger(1, MAX_PAGE_SIZE).default(50).meta({ description: 'Maximum number of videos per page.' }),
      cursor: z.string().max(200).optional().meta({
        description: '`next_cursor` of the previous page. Valid for the same filters; `limit` may change.',
      }),
    }),
    response: SourceVideos,
    status: 200,
    errors: [
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'JOB_NOT_COMPLETED',
      'SOURCE_UNAVAILABLE',
      'UPSTREAM_BLOCKED',
      'UPSTREAM_UNAVAILABLE',
    ],
  }),
  delete: defineRoute({
    method: 'delete',
    path: '/sources/{source_id}',
    operationId: 'deleteSource',
    summary: 'Forget a source',
    description: 'Forgets the source. Its videos and your jobs stay. A source that a subscription follows is refused.',
    access: 'write',
    params: SourceParams,
    query: z.strictObject({}),
    status: 204,
    errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'SOURCE_IN_USE'],
  }),
}
