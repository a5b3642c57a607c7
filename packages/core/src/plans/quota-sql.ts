import type { Sql } from '@subtext/db'

/** The UTC day and the first day of the UTC month, as `YYYY-MM-DD`. */
export interface QuotaPeriods {
  day: string
  month: string
}

/** Creates the counters of these periods where they are missing. Without them, no job with a quota is accepted. */
export async function openQuotaPeriods(sql: Sql, userIds: string[], periods: QuotaPeriods): Promise<void> {
  await sql.query(
    `INSERT INTO quota_usage (user_id, period, starts_on)
     SELECT user_id, period, starts_on
     FROM unnest($1::uuid[]) AS u(user_id),
       (VALUES ('day'::quota_period, $2::date), ('month'::quota_period, $3::date)) AS p(period, starts_on)
     ORDER BY user_id, period
     ON CONFLICT DO NOTHING`,
    [userIds, periods.day, periods.month],
  )
}
