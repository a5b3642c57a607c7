import type { Sql } from '@subtext/db'
import type { OwnQuota } from '../plans/own-quota.ts'

/** What operators see of an account besides its entry in the list. */
export interface AccountExtras {
  suspendedFor: string | null
  ownQuota: OwnQuota
  jobsUnfinished: number
  sessions: number
  connectedApps: number
}

const MAX_COUNTED_JOBS = 10_000

const FIND = `
SELECT suspended_for AS "suspendedFor", jsonb_build_object('daily', quota_daily, 'monthly', quota_monthly) AS "ownQuota",
  (SELECT count(*)::int FROM (SELECT FROM jobs WHERE user_id = $1 AND status IN ('queued', 'processing')
    LIMIT ${MAX_COUNTED_JOBS}) unfinished) AS "jobsUnfinished",
  (SELECT count(*)::int FROM sessions s WHERE s.user_id = $1 AND least(s.expires_at, s.support_until) > $2) AS sessions,
  (SELECT count(*)::int FROM oauth_grants g WHERE g.user_id = $1 AND g.revoked_at IS NULL AND g.expires_at > $2)
    AS "connectedApps"
FROM users WHERE id = $1 AND deleted_at IS NULL`

/** Finds what operators see of an account. Returns null if it is gone. */
export const findAccountExtras = async (sql: Sql, userId: string, now: Date): Promise<AccountExtras | null> =>
  (await sql.query<AccountExtras>(FIND, [userId, now])).rows[0] ?? null
