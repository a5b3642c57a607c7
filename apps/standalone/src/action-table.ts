import type { StoredAction } from '@subtext/core/operations'
import { type Columns, formatTable, minute } from './table.ts'

const COLUMNS: Columns<StoredAction> = [
  ['WHEN', (action) => minute(action.createdAt)],
  ['WHO', (action) => action.operatorEmail ?? action.command ?? action.operatorId ?? ''],
  ['WHAT', (action) => action.action],
  ['ACCOUNT', (action) => action.accountEmail ?? action.accountId ?? ''],
  ['DETAILS', ({ details }) => (Object.keys(details).length > 0 ? JSON.stringify(details) : '')],
]

/** Formats what operators did as a table for people. */
export const actionsAsTable = (actions: readonly StoredAction[]): string =>
  actions.length === 0 ? 'No operator has done anything yet.' : formatTable(COLUMNS, actions)

/** Formats what operators did as JSON for scripts. */
export const actionsAsJson = (actions: readonly StoredAction[]): string =>
  JSON.stringify(
    actions.map((action) => ({
      id: action.id,
      action: action.action,
      operator_id: action.operatorId,
      operator_email: action.operatorEmail,
      command_by: action.command,
      account_id: action.accountId,
      account_email: action.accountEmail,
      details: action.details,
      created_at: action.createdAt,
    })),
    null,
    2,
  )
