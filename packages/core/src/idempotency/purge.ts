import { deleteExpiredIdempotencyKeys } from '@subtext/db'
import type { Context } from '../context.ts'

const KEYS_A_STATEMENT = 1_000
const MAX_STATEMENTS = 20

/** Deletes keys that are older than 24 hours, which nobody is answered from any more. */
export async function purgeIdempotencyKeys(ctx: Pick<Context, 'db'>): Promise<void> {
  for (let statement = 0; statement < MAX_STATEMENTS; statement++) {
    if ((await deleteExpiredIdempotencyKeys(ctx.db, KEYS_A_STATEMENT)) < KEYS_A_STATEMENT) return
  }
}
