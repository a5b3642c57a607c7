import type { Context } from '../context.ts'
import { createCursors, type PageOfList, type PageQuery, readPage } from '../cursor.ts'
import { listActionRows, type StoredAction } from './actions-sql.ts'

export interface ActionListQuery extends PageQuery {
  /** Lists only what was done to this account. */
  accountId?: string | undefined
}

export interface ActionList extends PageOfList {
  actions: StoredAction[]
}

/**
 * Returns what operators did, newest first. Error: `VALIDATION_ERROR` for a cursor of another list, or one sent together with an
 * offset.
 */
export async function listActions(ctx: Pick<Context, 'db'>, query: ActionListQuery): Promise<ActionList> {
  const { accountId = null } = query
  const cursors = createCursors({ list: `operator actions ${accountId}`, status: null })
  const { entries: actions, ...page } = await readPage(query, cursors, async (place) => {
    const { actions: entries, total } = await listActionRows(ctx.db, accountId, place)
    return { entries, total }
  })
  return { actions, ...page }
}
