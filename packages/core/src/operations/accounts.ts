import { ServiceError } from '@subtext/contracts'
import { validate as isUuid } from 'uuid'
import type { Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import type { QuotaContext } from '../plans/quota.ts'
import { getQuotas, type Quotas } from '../usage/current.ts'
import { type AccountExtras, findAccountExtras } from './details-sql.ts'
import { findAccountRow, listAccountRows, type StoredOperatedAccount } from './operations-sql.ts'

export interface AccountListQuery extends PageQuery {
  email?: string | undefined
}

export interface AccountList extends PageOfList {
  accounts: StoredOperatedAccount[]
}

/**
 * Returns all accounts, newest first, for operators. Error: `VALIDATION_ERROR` for a cursor of another list, or one sent
 * together with an offset.
 */
export async function listAccounts(ctx: Pick<Context, 'db'>, query: AccountListQuery): Promise<AccountList> {
  const email = query.email?.trim().toLowerCase() ?? null
  const cursors = createCursors({ list: `accounts ${email}`, status: null })
  const { entries: accounts, ...page } = await readPage(query, cursors, async (place) => {
    const { accounts: entries, total } = await listAccountRows(ctx.db, email, place)
    return { entries, total }
  })
  return { accounts, ...page }
}

export interface OperatedAccountOverview extends StoredOperatedAccount, AccountExtras {
  quotas: Quotas
}

/** Returns an account as operators see it. Throws `NOT_FOUND`. */
export async function getOperatedAccount(
  ctx: Pick<Context, 'db' | 'clock'> & QuotaContext,
  id: string,
): Promise<OperatedAccountOverview> {
  const account = isUuid(id) ? await findAccountRow(ctx.db, id) : null
  const extras = account && (await findAccountExtras(ctx.db, id, ctx.clock()))
  if (!extras) throw new ServiceError('NOT_FOUND')
  const { plan } = account
  const owner = { userId: id, apiKeyId: null, plan, ownQuota: extras.ownQuota, scopes: [] }
  return { ...account, ...extras, quotas: await getQuotas(ctx, owner) }
}
