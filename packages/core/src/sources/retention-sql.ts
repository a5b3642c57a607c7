import type { Sql } from '@subtext/db'

interface PurgeOptions {
  before: Date
  /** Maximum number of rows. */
  limit: number
}

const countDeleted = async (sql: Sql, text: string, { before, limit }: PurgeOptions): Promise<number> =>
  (await sql.query(text, [before, limit])).rowCount

// A name may lead to a source that somebody has. Whoever asks for a source locks its row.
const UNUSED_SOURCES = `DELETE FROM sources WHERE id = ANY (ARRAY(
    SELECT id FROM sources s WHERE used_at < $1 AND due_at IS NULL
      AND NOT EXISTS (SELECT FROM account_sources WHERE source_id = s.id OFFSET 0)
    ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ))`

/** Deletes sources that no account has, and for which nobody has asked since that time, with their videos. */
export const deleteUnusedSources = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(sql, UNUSED_SOURCES, options)

const GONE_VIDEOS = `DELETE FROM source_videos WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM source_videos WHERE gone_at < $1 ORDER BY gone_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )) AND gone_at < $1`

/** Deletes videos that their source has not listed since that time. */
export const deleteGoneVideos = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(sql, GONE_VIDEOS, options)

const OLD_CHECKS = `DELETE FROM source_checks WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM source_checks WHERE checked_at < $1 ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ))`

/** Deletes records of checks from before that time. */
export const deleteOldChecks = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(sql, OLD_CHECKS, options)

const OLD_LISTINGS = `DELETE FROM source_listings WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM source_listings WHERE starts_at < $1 ORDER BY starts_at LIMIT $2 FOR UPDATE SKIP LOCKED
  ))`

/** Deletes counts of listings in hours before that time. */
export const deleteOldListings = (sql: Sql, options: PurgeOptions): Promise<number> =>
  countDeleted(sql, OLD_LISTINGS, options)
