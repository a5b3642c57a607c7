import type { Sql } from '@subtext/db'

export interface CountedAttempt {
  /** The number of attempts, including this one. */
  count: number
  resetsAt: Date
}

// Keys are locked in one order, so that attempts that count for the same two keys cannot wait for each other.
const COUNT = `
WITH counted AS (
  INSERT INTO attempt_counts AS a (key, count, resets_at)
  SELECT key, 1, $2::timestamptz + make_interval(secs => seconds)
  FROM unnest($1::bytea[], $3::int[]) AS k(key, seconds) ORDER BY key
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN a.resets_at <= $2 THEN 1 ELSE a.count + 1 END,
    resets_at = CASE WHEN a.resets_at <= $2 THEN excluded.resets_at ELSE a.resets_at END
  RETURNING key, count, resets_at
)
SELECT counted.count, counted.resets_at AS "resetsAt"
FROM unnest($1::bytea[]) WITH ORDINALITY AS k(key, position) JOIN counted USING (key) ORDER BY position`

/** Counts an attempt for each key, within a window of that many seconds, which begins with the first attempt. */
export async function countAttempts(
  sql: Sql,
  keys: { key: Uint8Array; windowSeconds: number }[],
  now: Date,
): Promise<CountedAttempt[]> {
  const values = [keys.map(({ key }) => key), now, keys.map(({ windowSeconds }) => windowSeconds)]
  return (await sql.query<CountedAttempt>(COUNT, values)).rows
}

const TAKE_BACK = `
WITH held AS MATERIALIZED (
  SELECT key FROM attempt_counts WHERE key = ANY ($1::bytea[]) ORDER BY key FOR UPDATE
)
UPDATE attempt_counts a SET count = greatest(0, a.count - 1) FROM held WHERE a.key = held.key`

/** Takes back one attempt of each key, because it has succeeded. */
export async function takeBackAttempts(sql: Sql, keys: Uint8Array[]): Promise<void> {
  await sql.query(TAKE_BACK, [keys])
}
