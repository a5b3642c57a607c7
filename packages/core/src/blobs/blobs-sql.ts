import type { Sql } from '@subtext/db'

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

/** The columns of stored files as `describeFile` returns them. */
export const FILE_COLUMNS = 'file_key text, file_registered_at timestamptz, file_stored_at timestamptz'

/** Returns a stored file as columns, to be sent as JSON. */
export const describeFile = ({ key, registeredAt, storedAt }: RegisteredBlob) => ({
  file_key: key,
  file_registered_at: registeredAt,
  file_stored_at: storedAt,
})

/** The part of a statement that works like `markBlobStored` for the files in `source`, which has the columns of `FILE_COLUMNS`. */
export const markStored = (source: string): string => `stored_file AS (
  UPDATE blobs SET stored_at = file_stored_at FROM ${source}
  WHERE blobs.key = file_key AND blobs.created_at = file_registered_at
)`

const MARK_STORED = 'UPDATE blobs SET stored_at = $3 WHERE key = $1 AND created_at = $2'

/** Records that a registered file is stored, unless someone has registered it again, and may still be storing it. */
export async function markBlobStored(sql: Sql, blob: RegisteredBlob): Promise<void> {
  await sql.query(MARK_STORED, [blob.key, blob.registeredAt, blob.storedAt])
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
