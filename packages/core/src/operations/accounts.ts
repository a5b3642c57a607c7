import type { Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { listAccountRows, type StoredOperatedAccount } from './operations-sql.ts'

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
