import type { PrismaContext } from '../context.ts'
import { type Operator, recordAction } from './actions-sql.ts'
import { findAccountId, lockOperated, updateOperator } from './operate-sql.ts'

/**
 * Makes a user an operator of the service, or no longer one, at once, in a transaction that records it. Returns false if no user has
 * this email address.
 */
export const setOperator = (
  { db, clock }: Pick<PrismaContext, 'db' | 'clock'>,
  by: Operator,
  email: string,
  isOperator: boolean,
): Promise<boolean> =>
  db.transaction(async (sql) => {
    const found = await findAccountId(sql, email)
    if (found === null) return false
    const { id } = await lockOperated(sql, found)
    await updateOperator(sql, id, isOperator)
    await recordAction(sql, { action: 'set_operator', by, accountId: id, details: { operator: isOperator } }, clock())
    return true
  })
