import type { VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** Which entries of a library are searched. */
export interface LibraryFilter {
  userId: string
  /** Languages of transcripts, as they are stored. */
  languages: readonly string[]
  channelId?: string | undefined
  /** The row of a source whose videos are meant, also those that it does not list any more. */
  sourceId?: string | undefined
  /** Times of publication or, where it is unknown, of completion. The end is exclusive. */
  from?: Date | null | undefined
  to?: Date | null | undefined
  /** Completed jobs of different videos, which are searched in place of the newest ones. */
  jobIds?: readonly string[] | undefined
}

/** What is looked for in the transcripts of some languages, as `tsquery`. */
export interface LanguageQuery {
  languages: readonly string[]
  /** What the index of a candidate has to have. */
  wanted: string
  /** What candidates are ranked by. */
  ranked: string
}

export interface LibraryCandidate {
  jobId: string
  videoId: string
  /** Where an imported recording is. Null for videos of the platform. */
  videoUrl: string | null
  transcriptId: string
  cueCount: number
  language: string
  title: string
  /** The ID of the channel or, if it has none, its name. */
  channelId: string
  publishedAt: Date | null
  completedAt: Date
  /** How well its words fit, as a `real` of PostgreSQL; 0 where they are not ranked. */
  rank: number
}

/** The place of a candidate in the order of those that fit best. */
export type CandidatePlace = Pick<LibraryCandidate, 'rank' | 'jobId'>

/** Lists the languages of the transcripts of a library, or of those of some jobs, that of most videos first. */
export async function listLibraryLanguages(sql: Sql, userId: string, jobIds?: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ language: string }>(
    `SELECT language FROM ${jobIds ? entriesOfJobs('$2') : 'library_entries'} e WHERE user_id = $1
      GROUP BY language ORDER BY count(*) DESC, language`,
    jobIds ? [userId, jobIds] : [userId],
  )
  return rows.map(({ language }) => language)
}

/** Jobs as entries of a library. They have the index of an entry with the same transcript; the text of the others is looked into. */
const entriesOfJobs = (ids: string): string => `(
  SELECT j.user_id, j.video_id, j.id AS job_id, r.transcript_id, r.cue_count, t.track->>'language' AS language,
    coalesce(r.video_info->>'title', '') AS title,
    coalesce(nullif(r.video_info#>>'{channel,id}', ''), r.video_info#>>'{channel,name}', '') AS channel_id,
    l.published_at, r.completed_at, l.tsv, coalesce(l.is_partial OR l.tsv IS NULL, true) AS is_partial
  FROM jobs j JOIN results r ON r.job_id = j.id JOIN transcripts t ON t.id = r.transcript_id
  LEFT JOIN library_entries l ON (l.user_id, l.video_id, l.transcript_id, l.cue_count) = (j.user_id, j.video_id, r.transcript_id, r.cue_count)
  WHERE j.user_id = $1 AND j.id = ANY (${ids}::uuid[]) AND j.status = 'completed'
)`

const FILTER = `e.user_id = $1 AND ($2::text IS NULL OR e.channel_id = $2)
  AND ($3::timestamptz IS NULL OR coalesce(e.published_at, e.completed_at) >= $3)
  AND ($4::timestamptz IS NULL OR coalesce(e.published_at, e.completed_at) < $4)
  AND ($5::uuid IS NULL OR EXISTS (SELECT FROM source_videos v WHERE v.source_id = $5 AND v.video_id = e.video_id))`

const filterValues = ({ userId, channelId, sourceId, from, to }: LibraryFilter): unknown[] => [
  userId,
  channelId ?? null,
  from ?? null,
  to ?? null,
  sourceId ?? null,
]

/** Counts the videos that are searched. */
export async function countEntries(sql: Sql, filter: LibraryFilter): Promise<number> {
  const { rows } = await sql.query<{ videos: number }>(
    `SELECT count(*)::int AS videos FROM library_entries e WHERE ${FILTER} AND e.language = ANY ($6::text[])`,
    [...filterValues(filter), filter.languages],
  )
  return rows[0]?.videos ?? 0
}

const COLUMNS = `e.job_id AS "jobId", e.video_id AS "videoId",
  (SELECT j.video_url FROM jobs j WHERE j.id = e.job_id) AS "videoUrl", e.transcript_id AS "transcriptId", e.cue_count AS "cueCount", e.language,
  e.title, e.channel_id AS "channelId", e.published_at AS "publishedAt", e.completed_at AS "completedAt"`

// Entries without a complete index are candidates of every search, the last ones. There are hardly ever any.
// The words are not ranked where nobody asks for it: PostgreSQL would read the index of each candidate from its table.
const findBy = (rank: string, order: string, entries = 'library_entries'): string => `
SELECT "jobId", "videoId", "videoUrl", "transcriptId", "cueCount", language, title, "channelId", "publishedAt", "completedAt", rank FROM (
  SELECT ${COLUMNS}, ${rank} AS rank
  FROM jsonb_to_recordset($6::jsonb) AS q(languages text[], wanted text, ranked text)
  JOIN ${entries} e ON e.tsv @@ q.wanted::tsquery AND e.language = ANY (q.languages)
  WHERE ${FILTER} AND NOT e.is_partial
  UNION ALL (
    SELECT ${COLUMNS}, 0::real FROM ${entries} e
    WHERE ${FILTER} AND e.is_partial AND e.language = ANY ($7::text[])
  )
) candidates WHERE $9::uuid IS NULL OR (rank, "jobId") < ($8::real, $9) ORDER BY ${order} LIMIT $10`

const BY_FIT = ['ts_rank(e.tsv, q.ranked::tsquery)', 'rank DESC, "jobId" DESC'] as const
const FIND_BEST = findBy(...BY_FIT)
const FIND_BEST_OF_JOBS = findBy(...BY_FIT, entriesOfJobs('$11'))
const FIND_NEWEST = findBy('0::real', 'coalesce("publishedAt", "completedAt") DESC, "jobId" DESC')

/** A part of the candidates of a search. */
export interface CandidatePage {
  /** The candidate before the first one, in the order of those that fit best. */
  after?: CandidatePlace | null
  limit: number
}

const candidateValues = (filter: LibraryFilter, queries: readonly LanguageQuery[], page: CandidatePage): unknown[] => [
  ...filterValues(filter),
  JSON.stringify(queries),
  filter.languages,
  page.after?.rank ?? null,
  page.after?.jobId ?? null,
  page.limit,
]

/** Finds the videos in which what is looked for may be said, the best first. */
export async function findBestCandidates(
  sql: Sql,
  filter: LibraryFilter,
  queries: readonly LanguageQuery[],
  page: CandidatePage,
): Promise<LibraryCandidate[]> {
  const { jobIds } = filter
  const values = candidateValues(filter, queries, page)
  const { rows } = await (jobIds
    ? sql.query<LibraryCandidate>(FIND_BEST_OF_JOBS, [...values, jobIds])
    : sql.query<LibraryCandidate>(FIND_BEST, values))
  // As the cursors of searches have it.
  return rows.map((row) => ({ ...row, rank: Math.fround(row.rank) }))
}

/** Finds the videos in which what is looked for may be said, the newest first. */
export async function findNewestCandidates(
  sql: Sql,
  filter: LibraryFilter,
  queries: readonly LanguageQuery[],
  page: CandidatePage,
): Promise<LibraryCandidate[]> {
  return (await sql.query<LibraryCandidate>(FIND_NEWEST, candidateValues(filter, queries, page))).rows
}

/** Finds what the platform said about the videos of jobs, by the IDs of the jobs. */
export async function findVideoInfos(sql: Sql, jobIds: readonly string[]): Promise<Map<string, VideoInfo>> {
  const { rows } = await sql.query<{ jobId: string; info: VideoInfo | null }>(
    `SELECT job_id AS "jobId", video_info AS info FROM results WHERE job_id = ANY ($1::uuid[])`,
    [jobIds],
  )
  return new Map(rows.flatMap(({ jobId, info }) => (info ? [[jobId, info] as const] : [])))
}
