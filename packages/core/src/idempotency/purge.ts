import { deleteExpiredIdempotencyKeys } from '@subtext/db'
import type { Context } from '../context.ts'

const KEYS_PER_STATEMENT = 1_000
const MAX_STATEMENTS = 20

/** Deletes idempotency keys older than 24 hours, which no longer answer any request. */
export async function purgeIdempotencyKeys(ctx: Pick<Context, 'db'>): Promise<void> {
  for (let statement = 0; statement < MAX_STATEMENTS; statement++) {
    if ((await deleteExpiredIdempotencyKeys(ctx.db, KEYS_PER_STATEMENT)) < KEYS_PER_STATEMENT) return
  }
}
