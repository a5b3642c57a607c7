import type { OperatorActionName } from '@subtext/contracts'
import type { PageRequest, Sql } from '@subtext/db'
import { HIGHEST_ID } from '@subtext/db'
import { v7 as newId } from 'uuid'

/** Who did something: an operator who has signed in, or the user of a machine who ran a command there. */
export type Operator = { userId: string } | { command: string }

/** What an operator did. */
export interface NewAction {
  action: OperatorActionName
  by: Operator
  /** Null if it concerns no account. */
  accountId: string | null
  details?: Record<string, unknown>
}

const INSERT = `INSERT INTO operator_actions (id, action, operator_id, command_by, account_id, details, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`

/** Records what an operator did. Belongs in the transaction that does it. */
export async function recordAction(
  sql: Sql,
  { action, by, accountId, details = {} }: NewAction,
  now: Date,
): Promise<void> {
  const [operatorId, command] = 'userId' in by ? [by.userId, null] : [null, by.command]
  // Orders by the clock of the database, like the time that is shown.
  const id = newId({ msecs: now.getTime() })
  await sql.query(INSERT, [id, action, operatorId, command, accountId, JSON.stringify(details), now])
}

export interface StoredAction {
  id: string
  action: OperatorActionName
  operatorId: string | null
  /** Null for a command, and if the operator has no account any more. */
  operatorEmail: string | null
  command: string | null
  accountId: string | null
  /** Null if the account was deleted. */
  accountEmail: string | null
  details: Record<string, unknown>
  createdAt: Date
}

const from = (filter: string): string => `FROM operator_actions a WHERE ${filter}`
const addressOf = (id: string): string => `(SELECT email FROM users u WHERE u.id = ${id} AND u.deleted_at IS NULL)`
// Two statements, because a plan for both filters would follow the index of neither.
const listStatement = (filter: string): string => `
SELECT a.id, a.action, a.operator_id AS "operatorId", ${addressOf('a.operator_id')} AS "operatorEmail", a.command_by AS command,
  a.account_id AS "accountId", ${addressOf('a.account_id')} AS "accountEmail", a.details, a.created_at AS "createdAt"
${from(filter)} AND a.id < $2 ORDER BY a.id DESC OFFSET $3 LIMIT $4`
const ALL = '$1::uuid IS NULL'
const ONE = 'a.account_id = $1::uuid'

/** Lists a page of what operators did, newest first. `accountId`: only to this account. */
export async function listActionRows(
  sql: Sql,
  accountId: string | null,
  { before, skip, limit }: PageRequest,
): Promise<{ actions: StoredAction[]; total: number }> {
  const filter = accountId === null ? ALL : ONE
  const { rows: actions } = await sql.query<StoredAction>(listStatement(filter), [
    accountId,
    before ?? HIGHEST_ID,
    skip,
    limit,
  ])
  const { rows } = await sql.query<{ total: number }>(`SELECT count(*)::int AS total ${from(filter)}`, [accountId])
  return { actions, total: rows[0]?.total ?? 0 }
}
