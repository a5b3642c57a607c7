import type { VideoInfo } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** What the library needs to know of a completed job, besides its result. */
export interface NewEntry {
  /** Of the transcript, BCP-47. */
  language: string
  /** The words of the transcript, as a `tsvector`. Null if a worker has yet to index it. */
  tsvector: string | null
  /** Whether the `tsvector` lacks words. */
  isPartial: boolean
}

/** The column of `describeEntry`. */
export const ENTRY_COLUMN = 'library jsonb'

/** The time of publication as PostgreSQL reads it. Null if the platform does not say, or says nothing sensible. */
function parsePublishedAt({ published_at }: Pick<VideoInfo, 'published_at'>): string | null {
  const time = published_at ? new Date(published_at) : null
  const year = time?.getUTCFullYear() ?? Number.NaN
  return time && year > 0 && year < 10_000 ? time.toISOString() : null
}

/** Returns an entry as a column, to be sent as JSON. */
export const describeEntry = (info: VideoInfo, { language, tsvector, isPartial }: NewEntry) => ({
  library: {
    title: info.title ?? '',
    channel_id: info.channel?.id || info.channel?.name || '',
    channel_name: info.channel?.name ?? '',
    language,
    published_at: parsePublishedAt(info),
    tsvector: tsvector?.toWellFormed() ?? null,
    is_partial: isPartial || tsvector === null,
  },
})

const OF_JOB = [
  'job_id',
  'transcript_id',
  'cue_count',
  'title',
  'channel_id',
  'channel_name',
  'language',
  'published_at',
  'completed_at',
]
const COLUMNS = [...OF_JOB, 'tsv', 'is_partial']

/** Only a newer job takes the place of the one that the library has. */
const UNLESS_OLDER = `ON CONFLICT (user_id, video_id) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE library_entries.job_id < excluded.job_id`

/**
 * The part of a statement that adds completed jobs to the libraries of their accounts. `source` has their results with `id`,
 * `userId`, `video_id` and the column of `describeEntry`, which is null for jobs that are not added.
 */
export const insertEntries = (source: string): string => `library_entry AS (
  INSERT INTO library_entries (user_id, video_id, ${COLUMNS.join(', ')})
  SELECT DISTINCT ON ("userId", video_id) "userId", video_id, id, transcript_id, cue_count, library->>'title', library->>'channel_id',
    library->>'channel_name', library->>'language', (library->>'published_at')::timestamptz, completed_at, (library->>'tsvector')::tsvector,
    (library->>'is_partial')::boolean
  FROM ${source} WHERE library IS NOT NULL ORDER BY "userId", video_id, id DESC
  ${UNLESS_OLDER}
)`

/** A completed job as an entry that has yet to be indexed. `r`: its result, `t`: its transcript, `times`: when it was published. */
const PENDING = `r.job_id, r.transcript_id, r.cue_count, coalesce(r.video_info->>'title', ''),
    coalesce(nullif(r.video_info#>>'{channel,id}', ''), r.video_info#>>'{channel,name}', ''), coalesce(r.video_info#>>'{channel,name}', ''), t.track->>'language', (times.by_job->>r.job_id::text)::timestamptz,
    r.completed_at, NULL::tsvector, true`

// A successor that is being deleted at the same moment is waited for, and passed over. Entries are locked in the order in which
// jobs that end add them.
/**
 * The part of a statement that gives the places of jobs in the library to the newest completed jobs of their videos that are left.
 * `ids`: an array of the jobs that are deleted in the same statement; the entries of those that have no successor go with them.
 * The words of the same transcript need not be indexed again.
 */
export const replaceEntries = (ids: string): string => `locked_entries AS MATERIALIZED (
  SELECT FROM library_entries WHERE job_id = ANY (${ids}) ORDER BY user_id, video_id FOR UPDATE
), library_entry AS (
  UPDATE library_entries e SET job_id = n.job_id, transcript_id = n.transcript_id, cue_count = n.cue_count,
    completed_at = n.completed_at, language = n.language, tsv = CASE WHEN n.is_same THEN e.tsv END,
    is_partial = e.is_partial OR NOT n.is_same
  FROM library_entries o CROSS JOIN LATERAL (
    SELECT r.*, t.track->>'language' AS language, r.transcript_id = o.transcript_id AND r.cue_count = o.cue_count AS is_same
    FROM jobs j JOIN results r ON r.job_id = j.id JOIN transcripts t ON t.id = r.transcript_id
    WHERE j.user_id = o.user_id AND j.video_id = o.video_id AND j.status = 'completed' AND j.id <> ALL (${ids})
    ORDER BY j.id DESC LIMIT 1 FOR KEY SHARE OF j
  ) n
  WHERE (SELECT count(*) FROM locked_entries) >= 0 AND o.job_id = ANY (${ids}) AND e.job_id = o.job_id
)`

const REMOVE = `WITH ${replaceEntries('$1::uuid[]')}, gone AS (
  DELETE FROM library_entries e WHERE job_id = ANY ($1::uuid[]) AND NOT EXISTS (
    SELECT FROM jobs j JOIN results r ON r.job_id = j.id
    WHERE j.user_id = e.user_id AND j.video_id = e.video_id AND j.status = 'completed' AND j.id <> ALL ($1::uuid[])
  )
) SELECT`

/**
 * Removes jobs from the library. The newest completed job of their video that is left takes their place, at once: until it is
 * indexed, searches look into its text. To be called in the transaction that deletes the jobs, before it does.
 */
export async function removeFromLibrary(sql: Sql, jobIds: readonly string[]): Promise<void> {
  await sql.query(REMOVE, [jobIds])
}

// Reads the jobs of a window by their IDs. `$1`: the last job of the window before.
const WINDOW = 'SELECT id, user_id, video_id, status FROM jobs WHERE id > $1 ORDER BY id LIMIT $2'

const FIND_PUBLISHED = `SELECT r.job_id AS "jobId", r.video_info->>'published_at' AS published_at
  FROM (${WINDOW}) j JOIN results r ON r.job_id = j.id WHERE j.status = 'completed'`

const SEED = `
WITH looked AS MATERIALIZED (
  ${WINDOW}
), added AS (
  INSERT INTO library_entries (user_id, video_id, ${COLUMNS.join(', ')})
  SELECT DISTINCT ON (j.user_id, j.video_id) j.user_id, j.video_id, ${PENDING}
  FROM looked j JOIN results r ON r.job_id = j.id JOIN transcripts t ON t.id = r.transcript_id, (SELECT $3::jsonb) times(by_job)
  WHERE j.status = 'completed' ORDER BY j.user_id, j.video_id, j.id DESC
  ${UNLESS_OLDER}
)
SELECT (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last`

/** Adds the jobs of a window that the library lacks, to be indexed later. Returns the last one, or null if there are no more. */
export async function seedEntries(sql: Sql, after: string, limit: number): Promise<string | null> {
  const { rows } = await sql.query<{ jobId: string; published_at: string | null }>(FIND_PUBLISHED, [after, limit])
  // PostgreSQL would refuse the whole window for one time that nobody can read.
  const times = Object.fromEntries(rows.map(({ jobId, published_at }) => [jobId, parsePublishedAt({ published_at })]))
  const seeded = await sql.query<{ last: string | null }>(SEED, [after, limit, JSON.stringify(times)])
  return seeded.rows[0]?.last ?? null
}

/** An entry that has yet to be indexed. */
export interface PendingEntry {
  jobId: string
  transcriptId: string
  cueCount: number
  language: string
  videoInfo: VideoInfo
}

const FIND_PENDING = `
SELECT e.job_id AS "jobId", e.transcript_id AS "transcriptId", e.cue_count AS "cueCount", e.language, r.video_info AS "videoInfo"
FROM library_entries e JOIN results r ON r.job_id = e.job_id WHERE e.tsv IS NULL ORDER BY e.job_id DESC LIMIT 1`

/** Finds the newest entry that has yet to be indexed. */
export async function findPendingEntry(sql: Sql): Promise<PendingEntry | null> {
  return (await sql.query<PendingEntry>(FIND_PENDING)).rows[0] ?? null
}

const INDEX = `UPDATE library_entries SET tsv = $2::tsvector, is_partial = $3, published_at = $4
  WHERE job_id = $1 AND tsv IS NULL`

/** Indexes an entry, unless another job has taken its place. */
export async function indexEntry(
  sql: Sql,
  { jobId, videoInfo }: PendingEntry,
  terms: Pick<NewEntry, 'isPartial'> & { tsvector: string },
): Promise<void> {
  await sql.query(INDEX, [jobId, terms.tsvector.toWellFormed(), terms.isPartial, parsePublishedAt(videoInfo)])
}

export interface BackfillPosition {
  position: string
  round: number
  roundAt: Date
}

const FIND_POSITION = `INSERT INTO library_backfill (position, round_at) VALUES ('00000000-0000-0000-0000-000000000000', now())
  ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING position, round, round_at AS "roundAt"`

/** Returns how far the jobs from before there was a library have been added. */
export async function findBackfillPosition(sql: Sql): Promise<BackfillPosition> {
  const [row] = (await sql.query<BackfillPosition>(FIND_POSITION)).rows
  if (!row) throw new Error('The position of the backfill was not stored.')
  return row
}

/** Stores how far they have been added. */
export async function saveBackfillPosition(
  sql: Sql,
  { position, round }: Omit<BackfillPosition, 'roundAt'>,
): Promise<void> {
  await sql.query(
    `UPDATE library_backfill SET position = $1, round_at = CASE WHEN round = $2 THEN round_at ELSE now() END, round = $2`,
    [position, round],
  )
}
