import type { OperatedAccountDetails, operatedAccounts } from '@subtext/contracts'
import { createSupportLink, signInLinkUrl } from '@subtext/core/accounts'
import type { Actor } from '@subtext/core/context'
import {
  changeAccount,
  deleteOperatedAccount,
  getOperatedAccount,
  listActions,
  type Operator,
  restoreAccount,
  suspendAccount,
} from '@subtext/core/operations'
import type { ApiContext } from '../context.ts'
import type { Handlers } from '../http/mount.ts'
import { replyWithSecret } from '../http/reply.ts'
import { presentAction, presentOperatedDetails } from '../presenters/operations.ts'
import { presentPage } from '../presenters/page.ts'

const operatorOf = ({ userId }: Actor): Operator => ({ userId })

const show = async (ctx: ApiContext, id: string): Promise<{ data: OperatedAccountDetails }> => ({
  data: presentOperatedDetails(await getOperatedAccount(ctx, id), ctx.clock()),
})

export const operatedAccountHandlers: Handlers<typeof operatedAccounts> = {
  account: (ctx, { params }) => show(ctx, params.account_id),
  update: async (ctx, { params, body }, { actor }) => {
    await changeAccount(ctx, operatorOf(actor), params.account_id, body)
    return show(ctx, params.account_id)
  },
  suspend: async (ctx, { params, body }, { actor }) => {
    await suspendAccount(ctx, operatorOf(actor), params.account_id, body.reason ?? null)
    return show(ctx, params.account_id)
  },
  restore: async (ctx, { params }, { actor }) => {
    await restoreAccount(ctx, operatorOf(actor), params.account_id)
    return show(ctx, params.account_id)
  },
  delete: async (ctx, { params, body }, { actor }) => {
    await deleteOperatedAccount(ctx, operatorOf(actor), params.account_id, body.confirm)
    return { data: { deleted: true } }
  },
  signInLink: async (ctx, { params, body }, { actor }) => {
    const link = await createSupportLink(ctx, operatorOf(actor), params.account_id, body.reason ?? null)
    const url = signInLinkUrl(ctx.http.publicBaseUrl, link)
    return replyWithSecret({ url, expires_at: link.expiresAt.toISOString() })
  },
  actions: async (ctx, { query: { account_id: accountId, ...query } }) => {
    const page = await listActions(ctx, { ...query, accountId })
    return { data: { actions: page.actions.map(presentAction), pagination: presentPage(page) } }
  },
}
