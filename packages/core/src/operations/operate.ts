import { type OperatorActionName, type Plan, validationError } from '@subtext/contracts'
import type { Sql } from '@subtext/db'
import { deleteAccount } from '../accounts/delete.ts'
import type { PrismaContext } from '../context.ts'
import type { OwnQuota } from '../plans/own-quota.ts'
import { watchAllSources } from '../subscriptions/index.ts'
import { type Operator, recordAction } from './actions-sql.ts'
import {
  lockOperated,
  type OperatedState,
  restoreAccountRow,
  suspendAccountRow,
  updatePlanAndQuota,
} from './operate-sql.ts'

type OperateContext = Pick<PrismaContext, 'db' | 'clock' | 'log'>

interface Change {
  action: OperatorActionName
  details?: Record<string, unknown>
}

/**
 * Changes an account in a transaction that records it. `change` returns what it has done; null: nothing, because the account is like
 * that already. Throws `NOT_FOUND`.
 */
const operate = (
  { db, clock }: Pick<OperateContext, 'db' | 'clock'>,
  by: Operator,
  accountId: string,
  change: (sql: Sql, account: OperatedState, now: Date) => Promise<Change | null>,
): Promise<OperatedState> =>
  db.transaction(async (sql) => {
    const account = await lockOperated(sql, accountId)
    const now = clock()
    const done = await change(sql, account, now)
    if (done) await recordAction(sql, { ...done, by, accountId: account.id }, now)
    return account
  })

export interface AccountChanges {
  plan?: Plan | undefined
  /** What is undefined stays as it is. */
  quotas?: Partial<{ [K in keyof OwnQuota]: OwnQuota[K] | undefined }> | undefined
}

/** Moves an account to another plan, or gives it quotas of its own, within a second. Throws `NOT_FOUND`. */
export async function changeAccount(
  ctx: OperateContext,
  by: Operator,
  accountId: string,
  { plan, quotas = {} }: AccountChanges,
): Promise<void> {
  await operate(ctx, by, accountId, async (sql, account) => {
    const { daily = account.ownQuota.daily, monthly = account.ownQuota.monthly } = quotas
    const changed = { plan: plan ?? account.plan, ownQuota: { daily, monthly } }
    const details = {
      ...(changed.plan !== account.plan && { plan: { from: account.plan, to: changed.plan } }),
      ...(daily !== account.ownQuota.daily && { daily: { from: account.ownQuota.daily, to: daily } }),
      ...(monthly !== account.ownQuota.monthly && { monthly: { from: account.ownQuota.monthly, to: monthly } }),
    }
    if (Object.keys(details).length === 0) return null
    await updatePlanAndQuota(sql, account.id, changed)
    return { action: 'change_account', details }
  })
}

/**
 * Suspends an account: its sessions end, its keys, connected applications and links are refused within a second, its jobs are
 * no longer accepted, and nothing is delivered. Jobs that were accepted are processed. Errors: `NOT_FOUND`, and `VALIDATION_ERROR`
 * if operators suspend themselves.
 */
export async function suspendAccount(
  ctx: OperateContext,
  by: Operator,
  accountId: string,
  reason: string | null,
): Promise<void> {
  await operate(ctx, by, accountId, async (sql, account, now) => {
    assertAnother(by, account, 'suspend')
    if (account.suspendedAt && account.suspendedFor === reason) return null
    await suspendAccountRow(sql, account.id, reason, now)
    return { action: 'suspend_account', details: reason === null ? {} : { reason } }
  })
}

/** Ends the suspension of an account. Its keys and applications work again; its people have to sign in. Throws `NOT_FOUND`. */
export async function restoreAccount(ctx: OperateContext, by: Operator, accountId: string): Promise<void> {
  await operate(ctx, by, accountId, async (sql, account) => {
    if (!account.suspendedAt) return null
    await restoreAccountRow(sql, account.id)
    await watchAllSources(sql, account.id)
    return { action: 'restore_account' }
  })
}

/**
 * Deletes an account with its jobs, results, keys and webhook log, as its owner can. `confirm` must be its address. Errors:
 * `NOT_FOUND`, and `VALIDATION_ERROR`, also if operators delete themselves.
 */
export async function deleteOperatedAccount(
  ctx: OperateContext,
  by: Operator,
  accountId: string,
  confirm: string,
): Promise<void> {
  const account = await ctx.db.transaction((sql) => lockOperated(sql, accountId))
  assertAnother(by, account, 'delete')
  const { id, email } = account
  if (confirm.trim().toLowerCase() !== email) {
    const message = 'Must be the email address of the account.'
    throw validationError([{ path: 'confirm', message, code: 'mismatch' }])
  }
  await deleteAccount(ctx, { userId: id, email }, (sql) =>
    recordAction(sql, { action: 'delete_account', by, accountId: id }, ctx.clock()),
  )
}

function assertAnother(by: Operator, { id }: OperatedState, verb: string): void {
  if (!('userId' in by) || by.userId !== id) return
  const message = `You cannot ${verb} your own account here.`
  throw validationError([{ path: 'account_id', message, code: 'own_account' }])
}
