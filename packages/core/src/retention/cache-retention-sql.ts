import { firstIdAt, LOWEST_ID, type Sql } from '@subtext/db'
import { deleteDue, type PurgeOptions } from './retention-sql.ts'

export interface UnusedPurgeOptions extends PurgeOptions {
  /** Only rows with a higher ID are examined; null for all. */
  after: string | null
}

// A running job may have found a row that seems unused, and be about to use it. This is checked last, and only if there are
// such rows, because it reads all unfinished jobs. Unlike `IS_UNFINISHED`, it is meant to fit their index.
const UNFINISHED = "status IN ('queued', 'processing')"

export interface UnusedPurge {
  /** The last ID that was examined; null if there are no more. */
  last: string | null
  /** Number of rows deleted. */
  deleted: number
}

/** Earlier than any time that a lookup asks for. */
const LONG_AGO = "'0001-01-01Z'::timestamptz"

interface Unused {
  table: string
  /** The column with the time of which the newest row is the one that a lookup finds. */
  dated: string
  /** Whether nothing uses a row `r`. */
  unused: string
  /** The video of a row `r`. */
  videoId: string
}

/**
 * Returns the statements that delete rows of a table that nothing uses. The first gives them a time at which no job finds them
 * any more. Until this is committed, a job that is accepted meanwhile may find one of them; the second statement sees that job,
 * and keeps the row, which later jobs do not find.
 */
function buildDeletion({ table, dated, unused, videoId }: Unused) {
  // A join with the unfinished jobs, because a list of several hundred thousand would be searched for each row.
  const due = (ids: string): string => `SELECT r.ctid AS place FROM ${table} r WHERE r.id = ANY (ARRAY(
    SELECT id FROM (SELECT id, ${videoId} AS video_id FROM ${table} r WHERE id = ANY (${ids}) AND ${unused} OFFSET 0) free
    WHERE NOT EXISTS (SELECT FROM jobs WHERE ${UNFINISHED} AND video_id = free.video_id)
  )) FOR UPDATE OF r SKIP LOCKED`
  const hide = (ids: string): string => `due AS MATERIALIZED (
  ${due(ids)}
), hidden AS (
  UPDATE ${table} SET ${dated} = ${LONG_AGO} WHERE ctid = ANY (ARRAY(SELECT place FROM due)) RETURNING id
)`
  const deleteHidden = async (sql: Sql, hidden: string[]): Promise<number> =>
    hidden.length > 0 ? deleteDue(sql, table, due('$1::uuid[]'), [hidden]) : 0
  return { hide, deleteHidden }
}

/** Returns a function that examines the next `limit` rows of a table and deletes those that nothing uses. */
function deleteUnused(kind: Unused) {
  const { table, dated, unused } = kind
  const { hide, deleteHidden } = buildDeletion(kind)
  const hideNext = `
WITH seen AS MATERIALIZED (
  SELECT id FROM ${table} WHERE id > $1::uuid AND id < $2::uuid ORDER BY id LIMIT $4
), unused AS MATERIALIZED (
  SELECT r.id FROM ${table} r WHERE r.id = ANY (ARRAY(SELECT id FROM seen)) AND r.${dated} < $3 AND ${unused}
), ${hide('ARRAY(SELECT id FROM unused)')}
SELECT CASE WHEN count(*) = $4 THEN max(id::text) END AS last, ARRAY(SELECT id FROM hidden) AS hidden FROM seen`
  return async (sql: Sql, { before, limit, after }: UnusedPurgeOptions): Promise<UnusedPurge> => {
    const values = [after ?? LOWEST_ID, firstIdAt(before), before, limit]
    const { rows } = await sql.query<{ last: string | null; hidden: string[] }>(hideNext, values)
    const { last = null, hidden = [] } = rows[0] ?? {}
    return { last, deleted: await deleteHidden(sql, hidden) }
  }
}

/** Returns a function that deletes those of the rows with these IDs that nothing uses. */
function deleteUnusedOf(kind: Unused) {
  const { hide, deleteHidden } = buildDeletion(kind)
  const hideThese = `WITH ${hide('$1::uuid[]')} SELECT id FROM hidden`
  return async (sql: Sql, ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    const { rows } = await sql.query<{ id: string }>(hideThese, [ids])
    await deleteHidden(
      sql,
      rows.map(({ id }) => id),
    )
  }
}

const SUMMARIES: Unused = {
  table: 'summaries',
  dated: 'created_at',
  unused: 'NOT EXISTS (SELECT FROM job_summaries WHERE summary_id = r.id OFFSET 0)',
  videoId: '(SELECT video_id FROM transcripts WHERE id = r.transcript_id)',
}

const TRANSCRIPTS: Unused = {
  table: 'transcripts',
  dated: 'fetched_at',
  unused: `NOT EXISTS (SELECT FROM results WHERE transcript_id = r.id OFFSET 0)
     AND NOT EXISTS (SELECT FROM summaries WHERE transcript_id = r.id OFFSET 0)`,
  videoId: 'r.video_id',
}

/** Deletes summaries that no job uses any more. Not to be called in a transaction. */
export const deleteUnusedSummaries = deleteUnused(SUMMARIES)

/** Deletes transcripts that no result and no summary refers to any more. Not to be called in a transaction. */
export const deleteUnusedTranscripts = deleteUnused(TRANSCRIPTS)

const deleteTheseSummaries = deleteUnusedOf(SUMMARIES)
const deleteTheseTranscripts = deleteUnusedOf(TRANSCRIPTS)

/**
 * Deletes what a deleted job used of the cache, and nothing else does. What an unfinished job about the same video may be using
 * is left to the purge. Not to be called in a transaction.
 */
export async function deleteUnusedCache(
  sql: Sql,
  { transcriptIds, summaryIds }: { transcriptIds: readonly string[]; summaryIds: readonly string[] },
): Promise<void> {
  await deleteTheseSummaries(sql, summaryIds)
  await deleteTheseTranscripts(sql, transcriptIds)
}

/** Deletes notes on transcripts. Summaries written from them do not need them. */
export const deleteOldNotes = (sql: Sql, options: PurgeOptions): Promise<number> =>
  deleteDue(
    sql,
    'transcript_notes',
    `SELECT ctid AS place FROM transcript_notes WHERE ctid = ANY (ARRAY(
       SELECT place FROM (
         SELECT n.ctid AS place, (SELECT video_id FROM transcripts WHERE id = n.transcript_id) AS video_id
         FROM transcript_notes n WHERE n.transcript_id < $1::uuid AND n.created_at < $2 ORDER BY n.transcript_id OFFSET 0
       ) old
       WHERE NOT EXISTS (SELECT FROM jobs WHERE ${UNFINISHED} AND video_id = old.video_id) LIMIT $3
     )) FOR UPDATE SKIP LOCKED`,
    [firstIdAt(options.before), options.before, options.limit],
  )
