import type { Sql, Transactional } from '@subtext/db'

// A statement does not see what was committed while it waited for a lock. So the account is locked first: rows that refer to it
// are either committed before `MARK` begins, which then finds them, or added after the account was deleted, when they are of no use.
const LOCK = 'SELECT FROM users WHERE id = $1 AND deleted_at IS NULL FOR UPDATE'

// Confirming a sign-up locks it before the account with its address.
const LOCK_SIGN_UPS = 'SELECT FROM sign_ups WHERE email = $1 FOR UPDATE'

// Locks the keys in the order in which their uses are recorded, so that the two cannot deadlock.
const MARK = `
WITH account AS (
  UPDATE users SET email = 'deleted:' || id, name = '', email_verified = false, suspended_for = NULL, deleted_at = $2, updated_at = $2
  WHERE id = $1 AND deleted_at IS NULL RETURNING id
), keys AS MATERIALIZED (
  SELECT id FROM api_keys WHERE user_id = (SELECT id FROM account) AND revoked_at IS NULL ORDER BY id FOR NO KEY UPDATE
), keys_revoked AS (
  UPDATE api_keys SET revoked_at = $2 FROM keys WHERE api_keys.id = keys.id
), sessions_gone AS (DELETE FROM sessions USING account WHERE user_id = account.id),
codes_gone AS (DELETE FROM oauth_codes USING account WHERE user_id = account.id),
grants_revoked AS (UPDATE oauth_grants SET revoked_at = $2 FROM account WHERE user_id = account.id AND revoked_at IS NULL),
identities_gone AS (DELETE FROM identities USING account WHERE user_id = account.id),
links_gone AS (DELETE FROM verifications USING account WHERE value = account.id::text),
operator_links_gone AS (DELETE FROM sign_in_links USING account WHERE user_id = account.id),
actions_cleaned AS (
  UPDATE operator_actions SET details = details - '{reason,email}'::text[] FROM account
  WHERE account_id = account.id OR details ->> 'email' = $3
),
emails_gone AS (DELETE FROM emails WHERE recipient = $3 AND EXISTS (SELECT FROM account)),
sign_ups_gone AS (DELETE FROM sign_ups WHERE email = $3 AND EXISTS (SELECT FROM account)),
invitations_gone AS (DELETE FROM invitations WHERE email = $3 AND EXISTS (SELECT FROM account))
SELECT FROM account`

/**
 * Deletes an account as seen by its owner: keys, sessions and sign-in methods stop working, and its address can be used for
 * another account. Returns false if it is already gone. `deleteAccountContent` and `deleteAccountRemains` delete the rest. `also`: runs
 * in the same transaction.
 */
export const markAccountDeleted = (
  db: Transactional,
  { userId, email }: { userId: string; email: string },
  now: Date,
  also?: (sql: Sql) => Promise<void>,
): Promise<boolean> =>
  db.transaction(async (sql) => {
    await sql.query(LOCK_SIGN_UPS, [email])
    if ((await sql.query(LOCK, [userId])).rowCount === 0) return false
    if ((await sql.query(MARK, [userId, now, email])).rowCount === 0) return false
    await also?.(sql)
    return true
  })

/** Deletes rows of an account in two statements. */
interface Step {
  /** Locks up to `$2` rows of the account `$1`, and returns their keys. */
  lock: string
  /** Deletes the rows with the keys in `$1`. */
  remove: string
}

// A worker that runs one of the jobs finds that it has lost it.
const JOBS: Step = {
  lock: 'SELECT id AS key FROM jobs WHERE user_id = $1 ORDER BY id LIMIT $2 FOR UPDATE',
  remove: `
WITH results_gone AS (DELETE FROM results WHERE job_id = ANY ($1::uuid[])),
summaries_gone AS (DELETE FROM job_summaries WHERE job_id = ANY ($1::uuid[])),
spendings_gone AS (DELETE FROM job_spendings WHERE job_id = ANY ($1::uuid[])),
usage_gone AS (DELETE FROM usage_entries WHERE job_id = ANY ($1::uuid[])),
extractions_gone AS (DELETE FROM job_extractions WHERE job_id = ANY ($1::uuid[])),
quotas_gone AS (DELETE FROM quota_entries WHERE job_id = ANY ($1::uuid[]))
DELETE FROM jobs WHERE id = ANY ($1::uuid[])`,
}

const REMOVE_DELIVERIES = 'DELETE FROM webhook_deliveries WHERE id = ANY ($1::uuid[])'

// Claiming a delivery locks it before its event, and requesting it again locks the event first. So no transaction locks both here:
// deliveries are deleted with their attempts, and then the events that have none left. Attempts that are recorded together lock
// their deliveries in any order, so the first step takes only those that nobody has locked, and the second one waits for a single
// one.
const EVENTS: Step[] = [
  {
    lock: 'SELECT id AS key FROM webhook_deliveries WHERE user_id = $1 LIMIT $2 FOR UPDATE SKIP LOCKED',
    remove: REMOVE_DELIVERIES,
  },
  {
    lock: 'SELECT id AS key FROM webhook_deliveries WHERE user_id = $1 LIMIT least($2, 1) FOR UPDATE',
    remove: REMOVE_DELIVERIES,
  },
  {
    // `OFFSET 0` makes the planner look up the deliveries of each event instead of joining all of them.
    lock: `
SELECT id AS key FROM webhook_events e
WHERE user_id = $1 AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE event_id = e.id OFFSET 0)
ORDER BY id LIMIT $2 FOR UPDATE`,
    remove: 'DELETE FROM webhook_events WHERE id = ANY ($1::uuid[])',
  },
]

// What was written about imported captions is as private as they are.
const IMPORTS: Step = {
  lock: 'SELECT id AS key FROM transcripts WHERE owner_id = $1 ORDER BY id LIMIT $2 FOR UPDATE',
  remove: `
WITH summaries_gone AS (DELETE FROM summaries WHERE transcript_id = ANY ($1::uuid[]))
DELETE FROM transcripts WHERE id = ANY ($1::uuid[])`,
}

const rowsOf = (table: string): Step => ({
  lock: `SELECT ctid::text AS key FROM ${table} WHERE user_id = $1 LIMIT $2 FOR UPDATE`,
  remove: `DELETE FROM ${table} WHERE ctid = ANY ($1::tid[])`,
})

/** Deleted in this order. */
const CONTENT = [
  JOBS,
  IMPORTS,
  ...['chat_conversations', 'batches'].map(rowsOf),
  ...EVENTS,
  ...['webhook_endpoints', 'idempotency_keys', 'transcript_notes'].map(rowsOf),
]
const REMAINS = [
  ...['webhook_secrets', 'quota_entries', 'quota_usage', 'usage_entries', 'usage_additions', 'usage_rollups', 'emails'],
  ...[
    'spending_counters',
    'spending_reservations',
    'endpoint_counts',
    'api_keys',
    'oauth_codes',
    'oauth_grants',
    'sign_in_links',
    'feeds',
    'subscriptions',
    'account_sources',
    'source_listings',
    'templates',
    'video_tables',
  ],
].map(rowsOf)

/**
 * Carries out the first step for which there are rows. A statement does not see what was committed between its beginning and
 * its own lock, such as the result of a job that has just ended, so a second one deletes when all rows are locked.
 */
const deleteNext = (db: Transactional, steps: Step[], userId: string, limit: number): Promise<number> =>
  db.transaction(async (sql) => {
    for (const { lock, remove } of steps) {
      const { rows } = await sql.query<{ key: string }>(lock, [userId, limit])
      if (rows.length === 0) continue
      const keys = rows.map(({ key }) => key)
      return (await sql.query(remove, [keys])).rowCount
    }
    return 0
  })

/**
 * Deletes up to `limit` jobs, batches, deliveries, events or idempotency keys of an account. Returns how many; 0 means that none
 * are left.
 */
export const deleteAccountContent = (db: Transactional, userId: string, limit: number): Promise<number> =>
  deleteNext(db, CONTENT, userId, limit)

/**
 * Deletes up to `limit` of the remaining rows of an account, and finally its own row. Returns how many; 0 means that the
 * account is gone.
 */
export async function deleteAccountRemains(db: Transactional, userId: string, limit: number): Promise<number> {
  const deleted = await deleteNext(db, [...CONTENT, ...REMAINS], userId, limit)
  if (deleted > 0) return deleted
  return (await db.query('DELETE FROM users WHERE id = $1 AND deleted_at IS NOT NULL', [userId])).rowCount
}

/** Lists accounts that were deleted before that time and still have rows. */
export async function listDeletedAccounts(sql: Sql, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM users WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2',
    [before, limit],
  )
  return rows.map(({ id }) => id)
}
