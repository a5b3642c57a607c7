import { findKeyHolders, hashApiKey, type KeyHolder } from '@subtext/core/api-keys'
import type { ApiContext } from '../context.ts'

/** Returns the account of a key that is in use. */
export async function holderOf(ctx: ApiContext, key: string): Promise<KeyHolder> {
  const [holder] = await findKeyHolders(ctx.db, [hashApiKey(key).toString('hex')])
  if (!holder) throw new Error('No account has this key.')
  return holder
}

/** What `countRows` returns for an account that has submitted nothing. */
export const NO_ROWS = { jobs: 0, batches: 0, accepted: 0, used: 0 }

/** Counts what is stored about the submissions of an account. */
export async function countRows(ctx: ApiContext, key: string): Promise<Record<string, number> | undefined> {
  const { userId } = await holderOf(ctx, key)
  const { rows } = await ctx.db.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM jobs WHERE user_id = $1) AS jobs,
       (SELECT count(*)::int FROM batches WHERE user_id = $1) AS batches,
       (SELECT jobs_accepted FROM users WHERE id = $1) AS accepted,
       (SELECT coalesce(max(used), 0)::int FROM quota_usage WHERE user_id = $1) AS used`,
    [userId],
  )
  return rows[0]
}
