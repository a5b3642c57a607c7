import type { SummaryPoint } from '@subtext/contracts'
import type { Sql } from '@subtext/db'

/** Identifies notes: an account, a transcript, and a hash of both, the part and everything that was asked about it. */
export interface NotesAddress {
  userId: string
  transcriptId: string
  key: Buffer
}

/** Finds the notes written at or after `notBefore`. */
export async function findNotes(
  sql: Sql,
  { userId, transcriptId, key }: NotesAddress,
  notBefore: Date,
): Promise<SummaryPoint[] | null> {
  const { rows } = await sql.query<{ notes: SummaryPoint[] }>(
    'SELECT notes FROM transcript_notes WHERE transcript_id = $1 AND key = $2 AND created_at >= $3 AND user_id = $4',
    [transcriptId, key, notBefore, userId],
  )
  return rows[0]?.notes ?? null
}

/** Stores notes, and replaces those written before `notBefore`. Later ones are kept. May be repeated. */
export async function saveNotes(
  sql: Sql,
  { userId, transcriptId, key, notes }: NotesAddress & { notes: SummaryPoint[] },
  notBefore: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO transcript_notes AS stored (transcript_id, key, notes, created_at, user_id)
     VALUES ($1, $2, $3::jsonb, now(), $5)
     ON CONFLICT (transcript_id, key) DO UPDATE SET notes = excluded.notes, created_at = excluded.created_at
     WHERE stored.created_at < $4`,
    [transcriptId, key, JSON.stringify(notes), notBefore, userId],
  )
}

/** Lists an account's notes on a transcript, the newest first. Several sets of notes may be about the same part. */
export async function listNotes(sql: Sql, userId: string, transcriptId: string): Promise<SummaryPoint[]> {
  const { rows } = await sql.query<{ notes: SummaryPoint[] }>(
    'SELECT notes FROM transcript_notes WHERE transcript_id = $1 AND user_id = $2 ORDER BY created_at DESC, key',
    [transcriptId, userId],
  )
  return rows.flatMap(({ notes }) => notes)
}
