import type { Plan } from '@subtext/contracts'
import { createOwnerLink, createSupportLink, inviteAddress, signInLinkUrl } from '@subtext/core/accounts'
import {
  changeAccount,
  deleteOperatedAccount,
  findAccountId,
  listActions,
  type Operator,
  recordAction,
  restoreAccount,
  setOperator,
  suspendAccount,
} from '@subtext/core/operations'
import { rotateWebhookSecret, UnreadableSecretError } from '@subtext/core/webhooks'
import { actionsAsJson, actionsAsTable } from './action-table.ts'
import { type AdminCommand, type AdminContext, RefusedError, readOnly } from './admin-context.ts'

interface OfAccount {
  email: string
}

/** Returns the ID of the account with this address. Throws `RefusedError` if there is none. */
export async function findAccount({ db }: AdminContext, email: string): Promise<string> {
  const id = await findAccountId(db, email)
  if (id === null) throw noUser(email)
  return id
}

const noUser = (email: string): RefusedError => new RefusedError(`No user has the address ${email}.`)

export const movePlan =
  ({ email, plan }: OfAccount & { plan: Plan }): AdminCommand =>
  async (ctx) => {
    await changeAccount(ctx, ctx.by, await findAccount(ctx, email), { plan })
    return `${email} is now on the ${plan} plan.`
  }

/** `plan`: the quota of the plan. */
export interface QuotaOptions {
  daily?: number | 'plan'
  monthly?: number | 'plan'
}

const toQuota = (value: number | 'plan' | undefined): number | null | undefined => (value === 'plan' ? null : value)

export const setQuota =
  ({ email, daily, monthly }: OfAccount & QuotaOptions): AdminCommand =>
  async (ctx) => {
    if (daily === undefined && monthly === undefined) throw new RefusedError('Give --daily, --monthly, or both.')
    await changeAccount(ctx, ctx.by, await findAccount(ctx, email), {
      quotas: { daily: toQuota(daily), monthly: toQuota(monthly) },
    })
    return `The quotas of ${email} are set.`
  }

export const suspend =
  ({ email, reason }: OfAccount & { reason?: string }): AdminCommand =>
  async (ctx) => {
    await suspendAccount(ctx, ctx.by, await findAccount(ctx, email), reason ?? null)
    return `${email} is suspended.`
  }

export const restore =
  ({ email }: OfAccount): AdminCommand =>
  async (ctx) => {
    await restoreAccount(ctx, ctx.by, await findAccount(ctx, email))
    return `${email} is not suspended.`
  }

export const removeAccount =
  ({ email }: OfAccount): AdminCommand =>
  async (ctx) => {
    const id = await findAccount(ctx, email)
    await ctx.confirm(`This deletes the account of ${email} with its jobs, results and keys, and cannot be undone.`)
    await deleteOperatedAccount(ctx, ctx.by, id, email)
    return `The account of ${email} is deleted.`
  }

export interface LinkOptions extends OfAccount {
  plan: Plan
  support?: boolean
  reason?: string
}

/** Prints the link alone. */
export const signInLink =
  ({ email, plan, support = false, reason }: LinkOptions): AdminCommand =>
  async (ctx) => {
    if (support) {
      const id = await findAccount(ctx, email)
      return signInLinkUrl(ctx.readOrigin(), await createSupportLink(ctx, ctx.by, id, reason ?? null))
    }
    const link = await createOwnerLink(ctx, ctx.by, { email, plan })
    if (link.accountCreated) ctx.warn(`${email} had no account. It was created, on the ${plan} plan.`)
    return signInLinkUrl(ctx.readOrigin(), link)
  }

export const invite =
  ({ email }: OfAccount): AdminCommand =>
  async (ctx) => {
    await inviteAddress(ctx, email)
    await record(ctx, 'invite', null, { email })
    return `${ctx.readOrigin()}/sign-up?email=${encodeURIComponent(email)}`
  }

export const makeOperator =
  ({ email, off = false }: OfAccount & { off?: boolean }): AdminCommand =>
  async (ctx) => {
    if (!(await setOperator(ctx, ctx.by, email, !off))) throw noUser(email)
    return `${email} is ${off ? 'no longer' : 'now'} an operator.`
  }

/** Printed when the key of the command is not that of the service. */
const WRONG_KEY =
  'WEBHOOK_SECRET_KEY does not open the webhook secrets that are stored. Set it to the key that the service uses, or add --lost-key if that key is lost.'

export const rotateSecret =
  ({ email, lostKey = false }: OfAccount & { lostKey?: boolean }): AdminCommand =>
  async (ctx) => {
    const secretBox = await ctx.openSecretBox()
    const id = await findAccount(ctx, email)
    const secret = await rotateWebhookSecret({ ...ctx, secretBox }, email, { isLost: lostKey }).catch(
      (error: unknown) => {
        throw error instanceof UnreadableSecretError ? new RefusedError(WRONG_KEY) : error
      },
    )
    if (!secret) throw noUser(email)
    await record(ctx, 'rotate_webhook_secret', id)
    return secret
  }

const MAX_ACTIONS = 100

export const showActions = ({ email, json }: Partial<OfAccount> & { json?: boolean }): AdminCommand =>
  readOnly(async (ctx) => {
    const accountId = email === undefined ? undefined : await findAccount(ctx, email)
    const { actions } = await listActions(ctx, { limit: MAX_ACTIONS, accountId })
    return json ? actionsAsJson(actions) : actionsAsTable(actions)
  })

/** Records what the command has done. */
export const record = (
  { db, by, clock }: Pick<AdminContext, 'db' | 'clock'> & { by: Operator },
  action: Parameters<typeof recordAction>[1]['action'],
  accountId: string | null,
  details?: Record<string, unknown>,
): Promise<void> => recordAction(db, { action, by, accountId, details }, clock())
