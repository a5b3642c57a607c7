import { ServiceError, validationError } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import type { Context, PrismaContext, SignedInActor } from '../context.ts'
import { deleteAccountContent, deleteAccountRemains, listDeletedAccounts, markAccountDeleted } from './delete-sql.ts'

const ROWS_PER_STATEMENT = 200
/** How long a request spends on deleting. The workers delete the rest of a large account. */
const MAX_REQUEST_MS = 1_500
/** Until this time has passed, requests that ended just before the deletion are still being counted. */
const GRACE_MS = 60_000
const ACCOUNTS_PER_ROUND = 20

type AccountContext = Pick<PrismaContext, 'db' | 'clock' | 'log'>

/**
 * Deletes the actor's account with its jobs, results, keys and webhook log. `confirm` must be its address. Errors:
 * `VALIDATION_ERROR`, and `NOT_FOUND` if it was deleted a moment ago.
 */
export async function deleteOwnAccount(ctx: AccountContext, actor: SignedInActor, confirm: string): Promise<void> {
  const { userId } = actor
  const user = await ctx.db.prisma.user.findFirst({ where: { id: userId, deletedAt: null }, select: { email: true } })
  if (!user) throw new ServiceError('NOT_FOUND')
  if (confirm.trim().toLowerCase() !== user.email) {
    throw validationError([{ path: 'confirm', message: 'Must be the email address of the account.', code: 'mismatch' }])
  }
  await deleteAccount(ctx, { userId, email: user.email })
}

/**
 * Deletes an account and as much of its content as a request may wait for. The workers delete the rest. `also`: runs in the transaction
 * after which the account is gone. Throws `NOT_FOUND` if it was deleted a moment ago.
 */
export async function deleteAccount(
  ctx: AccountContext,
  account: { userId: string; email: string },
  also?: (sql: Sql) => Promise<void>,
): Promise<void> {
  const { userId } = account
  if (!(await markAccountDeleted(ctx.db, account, ctx.clock(), also))) throw new ServiceError('NOT_FOUND')
  const deadline = performance.now() + MAX_REQUEST_MS
  try {
    while ((await deleteAccountContent(ctx.db, userId, ROWS_PER_STATEMENT)) > 0 && performance.now() < deadline) {
      // The account may have more rows.
    }
  } catch (error) {
    // The account is gone for its owner, and the workers delete the rest.
    ctx.log.warn('account not deleted at once', { user_id: userId, error: (error as Error).message })
  }
}

/** Deletes the remaining rows of deleted accounts, until `stopping` aborts. Safe to run in any number of processes at once. */
export async function purgeDeletedAccounts(ctx: Pick<Context, 'db' | 'clock'>, stopping: AbortSignal): Promise<number> {
  const before = new Date(ctx.clock().getTime() - GRACE_MS)
  const accounts = await listDeletedAccounts(ctx.db, before, ACCOUNTS_PER_ROUND)
  let deleted = 0
  for (const userId of accounts) {
    for (let rows = 1; rows > 0 && !stopping.aborted; deleted += rows) {
      rows = await deleteAccountRemains(ctx.db, userId, ROWS_PER_STATEMENT)
    }
  }
  return deleted
}
