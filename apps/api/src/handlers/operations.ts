import type { operations } from '@subtext/contracts'
import { listAccounts, readOperations } from '@subtext/core/operations'
import type { Handlers } from '../http/mount.ts'
import { presentOperatedAccount, presentOperations } from '../presenters/operations.ts'
import { presentPage } from '../presenters/page.ts'

export const operationHandlers: Handlers<typeof operations> = {
  overview: async (ctx) => ({ data: presentOperations(await readOperations(ctx)) }),
  accounts: async (ctx, { query }) => {
    const page = await listAccounts(ctx, query)
    const accounts = page.accounts.map((account) => presentOperatedAccount(account, ctx.clock()))
    return { data: { accounts, pagination: presentPage(page) } }
  },
}
