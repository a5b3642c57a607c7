import type { Sql } from '../client.ts'

export interface NewBlob {
  key: string
  jobId: string
  contentType: string
  /** In bytes. */
  size: number
}

/** Registers a file that is about to be stored. Returns false if its job does not exist any more. */
export async function registerBlob(sql: Sql, blob: NewBlob, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO blobs (key, job_id, content_type, size, created_at)
     SELECT $1, id, $3, $4, $5 FROM jobs WHERE id = $2 FOR KEY SHARE
     ON CONFLICT (key) DO UPDATE SET content_type = excluded.content_type, size = excluded.size,
       created_at = excluded.created_at, stored_at = NULL`,
    [blob.key, blob.jobId, blob.contentType, blob.size, now],
  )
  return rowCount > 0
}

/** A registered file that has been stored. */
export interface RegisteredBlob {
  key: string
  registeredAt: Date
  storedAt: Date
}

export const storedBlobValues = ({ key, registeredAt, storedAt }: RegisteredBlob): unknown[] => [
  key,
  registeredAt,
  storedAt,
]

const setStored = (first: number): string =>
  `stored_at = $${first + 2} WHERE key = $${first} AND blobs.created_at = $${first + 1}`

/**
 * The part of a statement that works like `markBlobStored` if there is a row in `source`, for which the statement has the
 * values of `storedBlobValues` as parameters from `$first` on.
 */
export const markStored = (source: string, first: number): string =>
  `stored_file AS (UPDATE blobs SET ${setStored(first)} AND EXISTS (SELECT FROM ${source}))`

const MARK_STORED = `UPDATE blobs SET ${setStored(1)}`

/** Records that a registered file is stored, unless someone has registered it again, and may still be storing it. */
export async function markBlobStored(sql: Sql, blob: RegisteredBlob): Promise<void> {
  await sql.query(MARK_STORED, storedBlobValues(blob))
}

/**
 * Lists files whose job is deleted, oldest first. Leaves out files registered after `before`, because a process may still be
 * storing them.
 */
export async function listOrphanedBlobs(
  sql: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql.query<{ key: string }>(
    `SELECT key FROM blobs WHERE job_id IS NULL AND (stored_at IS NOT NULL OR created_at < $1)
     ORDER BY created_at LIMIT $2`,
    [before, limit],
  )
  return rows.map(({ key }) => key)
}

/** Deletes the row of a file that has been deleted from the blob store. */
export async function forgetBlob(sql: Sql, key: string): Promise<void> {
  await sql.query('DELETE FROM blobs WHERE key = $1 AND job_id IS NULL', [key])
}
