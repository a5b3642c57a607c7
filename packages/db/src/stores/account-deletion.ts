import type { Sql } from '../client.ts'

const MARK = `
WITH account AS (
  UPDATE users SET email = 'deleted:' || id, name = '', email_verified = false, deleted_at = $2, updated_at = $2
  WHERE id = $1 AND deleted_at IS NULL RETURNING id
), keys AS (
  UPDATE api_keys SET revoked_at = $2 FROM account WHERE user_id = account.id AND revoked_at IS NULL
), sessions_gone AS (DELETE FROM sessions USING account WHERE user_id = account.id),
codes_gone AS (DELETE FROM oauth_codes USING account WHERE user_id = account.id),
grants_revoked AS (UPDATE oauth_grants SET revoked_at = $2 FROM account WHERE user_id = account.id AND revoked_at IS NULL),
identities_gone AS (DELETE FROM identities USING account WHERE user_id = account.id),
links_gone AS (DELETE FROM verifications USING account WHERE value = account.id::text),
emails_gone AS (DELETE FROM emails WHERE recipient = $3 AND EXISTS (SELECT FROM account)),
sign_ups_gone AS (DELETE FROM sign_ups WHERE email = $3 AND EXISTS (SELECT FROM account)),
invitations_gone AS (DELETE FROM invitations WHERE email = $3 AND EXISTS (SELECT FROM account))
SELECT FROM account`

/**
 * Deletes an account as seen by its owner: keys, sessions and sign-in methods stop working, and its address can be used for
 * another account. Returns false if it is already gone. `deleteAccountContent` and `deleteAccountRemains` delete the rest.
 */
export async function markAccountDeleted(
  sql: Sql,
  { userId, email }: { userId: string; email: string },
  now: Date,
): Promise<boolean> {
  return (await sql.query(MARK, [userId, now, email])).rowCount > 0
}

// A worker that runs one of the jobs finds that it has lost it.
const DELETE_JOBS = `
WITH ids AS MATERIALIZED (SELECT ARRAY(SELECT id FROM jobs WHERE user_id = $1 ORDER BY id LIMIT $2) AS list),
jobs_gone AS (DELETE FROM jobs WHERE id = ANY ((SELECT list FROM ids)::uuid[]) RETURNING id),
results_gone AS (DELETE FROM results WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
summaries_gone AS (DELETE FROM job_summaries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
spendings_gone AS (DELETE FROM job_spendings WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
usage_gone AS (DELETE FROM usage_entries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[])),
quotas_gone AS (DELETE FROM quota_entries WHERE job_id = ANY ((SELECT list FROM ids)::uuid[]))
SELECT count(*)::int AS deleted FROM jobs_gone`

const deleteOwned = (table: string): string =>
  `WITH due AS MATERIALIZED (SELECT ctid AS place FROM ${table} WHERE user_id = $1 LIMIT $2), gone AS (
     DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM due)) RETURNING 1
   ) SELECT count(*)::int AS deleted FROM gone`

/** Deleted in this order. Events take their deliveries and attempts with them. */
const CONTENT = [
  DELETE_JOBS,
  ...['batches', 'webhook_events', 'webhook_endpoints', 'idempotency_keys', 'transcript_notes'].map(deleteOwned),
]
const REMAINS = [
  ...['webhook_secrets', 'quota_entries', 'quota_usage', 'usage_entries', 'usage_additions', 'usage_rollups', 'emails'],
  ...['endpoint_counts', 'api_keys', 'oauth_codes', 'oauth_grants'],
].map(deleteOwned)

async function runEach(sql: Sql, statements: string[], userId: string, limit: number): Promise<number> {
  for (const statement of statements) {
    const { rows } = await sql.query<{ deleted: number }>(statement, [userId, limit])
    if (rows[0]?.deleted) return rows[0].deleted
  }
  return 0
}

/**
 * Deletes up to `limit` jobs, batches, events or idempotency keys of an account. Returns how many; 0 means that none are left.
 */
export const deleteAccountContent = (sql: Sql, userId: string, limit: number): Promise<number> =>
  runEach(sql, CONTENT, userId, limit)

/**
 * Deletes up to `limit` of the remaining rows of an account, and finally its own row. Returns how many; 0 means that the
 * account is gone.
 */
export async function deleteAccountRemains(sql: Sql, userId: string, limit: number): Promise<number> {
  const deleted = await runEach(sql, [...CONTENT, ...REMAINS], userId, limit)
  if (deleted > 0) return deleted
  return (await sql.query('DELETE FROM users WHERE id = $1 AND deleted_at IS NOT NULL', [userId])).rowCount
}

/** Lists accounts that were deleted before that time and still have rows. */
export async function listDeletedAccounts(sql: Sql, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM users WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2',
    [before, limit],
  )
  return rows.map(({ id }) => id)
}
