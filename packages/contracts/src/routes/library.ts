import { z } from 'zod'
import { defineRoute } from '../define-route.ts'
import { languageTag } from '../language-tag.ts'
import { queryInteger } from '../query-values.ts'
import { text } from '../text.ts'
import { CursorPagination } from './list.ts'
import { VideoInfo } from './result.ts'
import { dateOrTime, parseUsageRange } from './usage.ts'

export const MAX_LIBRARY_QUERY = 200
export const MAX_LIBRARY_HITS = 50
export const MAX_LIBRARY_PASSAGES = 3
/** Videos in which mentions are counted. */
export const MAX_COUNTED_VIDEOS = 2_000

export const LIBRARY_SEARCH_KINDS = ['words', 'question'] as const
export const LibrarySearchKind = z.enum(LIBRARY_SEARCH_KINDS).meta({ id: 'LibrarySearchKind' })
export type LibrarySearchKind = z.infer<typeof LibrarySearchKind>

const MENTION_GROUPINGS = ['month', 'channel', 'video'] as const
export const MentionGrouping = z.enum(MENTION_GROUPINGS).meta({ id: 'MentionGrouping' })
export type MentionGrouping = z.infer<typeof MentionGrouping>

const seconds = z.number().meta({ description: 'Seconds.' })
const momentUrl = z.string().meta({ description: 'The moment of the video.' })

export const LibraryPassage = z
  .object({
    start: seconds,
    end: seconds,
    url: momentUrl,
    segment_ids: z.array(z.int()).meta({ description: 'Consecutive segments. None is in two passages.' }),
    text: z.string().meta({ description: 'The segments, joined by one blank.' }),
    highlights: z.array(z.tuple([z.int().min(0), z.int().min(1)])).meta({
      description:
        'What matches, from the first of its UTF-16 code units in `text` to the one after the last: whole words as they are said, in their order.',
    }),
  })
  .meta({ id: 'LibraryPassage' })
export type LibraryPassage = z.infer<typeof LibraryPassage>

export const LibraryHit = z
  .object({
    job_id: z.uuid().meta({ description: 'The newest completed job of the video.' }),
    video_id: z.string(),
    video_url: z.string(),
    video_title: z.string(),
    channel: VideoInfo.shape.channel,
    published_at: z.iso.datetime().optional(),
    passages: z
      .array(LibraryPassage)
      .min(1)
      .max(MAX_LIBRARY_PASSAGES)
      .meta({ description: 'Those that fit best, the best first.' }),
  })
  .meta({ id: 'LibraryHit' })
export type LibraryHit = z.infer<typeof LibraryHit>

export const LibrarySearchResult = z
  .object({
    hits: z.array(LibraryHit).meta({ description: 'The videos that fit best, the best first.' }),
    searched: z
      .object({ videos: z.int().min(0).meta({ description: 'Number of videos to which the filters apply.' }) })
      .meta({ id: 'LibrarySearched' }),
    pagination: CursorPagination,
  })
  .meta({ id: 'LibrarySearchResult' })
export type LibrarySearchResult = z.infer<typeof LibrarySearchResult>

const Moment = z.object({ job_id: z.uuid(), start: seconds, url: momentUrl }).meta({ id: 'LibraryMoment' })

export const MentionGroup = z
  .object({
    key: z.string().meta({
      description:
        'The month (UTC), such as `2026-11`; the ID of the channel or, if it has none, its name; the `video_id`.',
    }),
    mentions: z.int().min(1),
    videos: z.int().min(1).meta({ description: 'Number of videos with a mention.' }),
    first: Moment.meta({ description: 'The first mention in the first of the videos by time.' }),
    last: Moment.meta({ description: 'The last mention in the last of the videos by time.' }),
  })
  .meta({ id: 'MentionGroup' })
export type MentionGroup = z.infer<typeof MentionGroup>

export const MentionCounts = z
  .object({
    total: z.int().min(0),
    groups: z.array(MentionGroup).meta({ description: 'Months in their order; channels and videos by mentions.' }),
  })
  .meta({ id: 'MentionCounts' })
export type MentionCounts = z.infer<typeof MentionCounts>

const query = z.string().trim().pipe(text(MAX_LIBRARY_QUERY, 1)).meta({ minLength: 1, maxLength: MAX_LIBRARY_QUERY })

const rangeFields = {
  from: dateOrTime.optional().meta({
    description:
      'Only videos published from this day (UTC) or time on. If nobody says when, the end of the job counts.',
  }),
  to: dateOrTime
    .optional()
    .meta({ description: 'Only videos published up to this day (UTC) or time, which is included.' }),
}

interface LibraryRange {
  from?: string | undefined
  to?: string | undefined
}

/** Returns the instants of a range. The end is exclusive. */
export function parseLibraryRange({ from, to }: LibraryRange): { from: Date | null; to: Date | null } {
  const { start, end } = parseUsageRange({ start_date: from, end_date: to })
  return { from: start, to: end && to?.includes('T') ? new Date(end.getTime() + 1) : end }
}

function checkLibraryRange(range: LibraryRange, issue: z.RefinementCtx): void {
  const { from, to } = parseLibraryRange(range)
  if (from && to && to <= from) issue.addIssue({ code: 'custom', path: ['to'], message: 'Must not be before `from`.' })
}

export const library = {
  search: defineRoute({
    method: 'get',
    path: '/library/search',
    operationId: 'searchLibrary',
    summary: 'Search what was said',
    description: [
      'Searches the transcripts of your library: the newest completed job of each of your videos. A job is found as soon as it is',
      'completed. Words are found in all their forms, in any case and width, with and without accents; marks that make another',
      'letter count. Japanese, Chinese and Korean are searched without spaces. No word is ignored. A search costs nothing.',
    ].join(' '),
    access: 'read',
    query: z
      .strictObject({
        q: query.meta({
          description:
            'What to look for. With `kind=words`, `"a phrase"` has to be said as it is, and `-word` or `-"a phrase"` must not be said.',
        }),
        kind: LibrarySearchKind.default('words').meta({
          description:
            '`words`: videos in which all words are said, wherever. `question`: videos with passages that fit a question; any of its words may be missing.',
        }),
        language: languageTag.pipe(z.string()).optional().meta({
          description: 'Only transcripts in this language (BCP-47). `pt` includes `pt-BR`.',
        }),
        channel_id: z.string().min(1).max(200).optional().meta({
          description: 'Only videos of this channel, by its ID or, if it has none, its name.',
        }),
        source_id: z.string().min(1).max(64).optional().meta({
          format: 'uuid',
          description: 'Only videos of this source, also if it does not list them any more.',
        }),
        ...rangeFields,
        limit: queryInteger(1, MAX_LIBRARY_HITS).default(20).meta({ description: 'Maximum number of hits per page.' }),
        cursor: z.string().max(400).optional().meta({
          description: '`next_cursor` of the previous page. Valid for the same query and filters; `limit` may change.',
        }),
      })
      .superRefine(checkLibraryRange),
    response: LibrarySearchResult,
    status: 200,
    errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'SERVICE_UNAVAILABLE'],
    example: { query: { q: '"soil maps" ocean' } },
  }),
  mentions: defineRoute({
    method: 'get',
    path: '/library/mentions',
    operationId: 'countMentions',
    summary: 'Count mentions',
    description: [
      'Counts how often something is said in your library, by month, channel or video. A mention is one place where the word or',
      'phrase is said, in any of its forms; several add up. Counts are exact. If more than',
      `${MAX_COUNTED_VIDEOS.toLocaleString('en-US')} videos come into question, the newest are counted, with the warning`,
      '`MENTIONS_CAPPED`.',
    ].join(' '),
    access: 'read',
    query: z
      .strictObject({
        q: query.meta({
          description:
            'Words and `"phrases"`, each of which counts wherever it is said. Videos in which `-word` is said are left out.',
        }),
        by: MentionGrouping.default('month').meta({ description: 'What a group has in common.' }),
        ...rangeFields,
      })
      .superRefine(checkLibraryRange),
    response: MentionCounts,
    status: 200,
    errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
    example: { query: { q: 'ridge', by: 'month' } },
  }),
}
