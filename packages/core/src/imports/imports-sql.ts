import { randomBytes } from 'node:crypto'
import type { Sql } from '@subtext/db'

const KEY_BYTES = 32

const FIND_OR_CREATE = `
WITH created AS (
  INSERT INTO import_keys (user_id, key) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING RETURNING key
)
SELECT key FROM created UNION ALL SELECT key FROM import_keys WHERE user_id = $1 LIMIT 1`

/** Returns the secret of an account from which the IDs of its imports are derived. */
export async function obtainImportKey(sql: Sql, userId: string): Promise<Buffer> {
  const find = () => sql.query<{ key: Buffer }>(FIND_OR_CREATE, [userId, randomBytes(KEY_BYTES)])
  const { rows } = await find()
  // A concurrent request may have created it after this statement began.
  const row = rows[0] ?? (await find()).rows[0]
  if (!row) throw new Error('The account has no import key.')
  return row.key
}

// A summary of a transcript belongs to its owner as the transcript does.
const DELETE = `
WITH due AS MATERIALIZED (
  SELECT id FROM transcripts t WHERE {condition} ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED
), summaries_gone AS (
  DELETE FROM summaries WHERE transcript_id = ANY (ARRAY(SELECT id FROM due))
), gone AS (
  DELETE FROM transcripts WHERE id = ANY (ARRAY(SELECT id FROM due)) RETURNING id
)
SELECT count(*)::int AS deleted FROM gone`

const DELETE_THESE = DELETE.replace('{condition}', 'id = ANY ($1::uuid[])')
const DELETE_UNUSED = DELETE.replace(
  '{condition}',
  `owner_id IS NOT NULL AND fetched_at < $1
    AND NOT EXISTS (SELECT FROM results WHERE transcript_id = t.id OFFSET 0)
    AND NOT EXISTS (SELECT FROM jobs WHERE status IN ('queued', 'processing') AND user_id = t.owner_id AND video_id = t.video_id OFFSET 0)`,
)

const countDeleted = async (sql: Sql, statement: string, values: unknown[]): Promise<number> =>
  (await sql.query<{ deleted: number }>(statement, values)).rows[0]?.deleted ?? 0

/** Deletes imported transcripts whose jobs were not accepted. */
export const deleteImported = (sql: Sql, ids: string[]): Promise<number> =>
  countDeleted(sql, DELETE_THESE, [ids, ids.length])

/** Deletes imported transcripts that no job of their account uses any more, and their summaries. */
export const deleteUnusedImports = (sql: Sql, { before, limit }: { before: Date; limit: number }): Promise<number> =>
  countDeleted(sql, DELETE_UNUSED, [before, limit])
